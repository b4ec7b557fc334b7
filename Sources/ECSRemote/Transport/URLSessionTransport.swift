#if canImport(Darwin)
  import Foundation

  /// Sends requests through Foundation's `URLSession`, with deadlines and limits of our own.
  ///
  /// It is there on Apple's systems. Elsewhere, Foundation's session ends the process when a server breaks
  /// off in the middle of a header, and waits without end after others.
  public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Makes a transport with a session of its own, without caches, cookies and kept passwords.
    ///
    /// - Parameter maximumBodySize: How many bytes the body of an answer may have.
    public init(maximumBodySize: Int = 64 << 20) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.urlCredentialStorage = nil
      delegate = SessionDelegate(maximumBodySize: maximumBodySize)
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    // A session keeps its delegate until then.
    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for the answer, whatever its status is.
    ///
    /// - Throws: ``TransportError``.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      try request.check()
      var sent = URLRequest(url: request.url)
      sent.httpMethod = request.method.rawValue
      for field in request.headers.fields {
        sent.addValue(field.value, forHTTPHeaderField: field.name)
      }
      sent.httpBody = request.body
      // The deadline is ours; this one counts pauses between bytes.
      let (seconds, _) = request.timeout.components
      sent.timeoutInterval = Double(min(seconds, 1 << 31)) + 1
      let task = session.dataTask(with: sent)
      let delegate = delegate
      return try await withDeadline(request.timeout) {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            delegate.expect(task.taskIdentifier, continuation)
            task.resume()
          }
        } onCancel: {
          task.cancel()
        }
      }
    }
  }

  /// Collects the answers of a session's tasks.
  // Guarded by its lock.
  private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Waiting = CheckedContinuation<Result<HTTPResponse, TransportError>, Never>

    private struct Exchange {
      let waiting: Waiting
      var response: HTTPResponse?
      var failure: TransportError?
    }

    private let maximumBodySize: Int
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]

    init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

    func expect(_ number: Int, _ waiting: Waiting) {
      lock.withLock { exchanges[number] = Exchange(waiting: waiting) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      let isTooLarge = response.expectedContentLength > Int64(maximumBodySize)
      lock.withLock {
        if isTooLarge {
          exchanges[dataTask.taskIdentifier]?.failure = tooLarge
        } else if let response = response as? HTTPURLResponse {
          var headers = HTTPHeaders()
          for (name, value) in response.allHeaderFields { headers.add("\(name)", "\(value)") }
          exchanges[dataTask.taskIdentifier]?.response = HTTPResponse(
            response.statusCode, headers: headers)
        }
      }
      completionHandler(isTooLarge ? .cancel : .allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let isTooLarge = lock.withLock {
        guard let count = exchanges[dataTask.taskIdentifier]?.response?.body.count else {
          return false
        }
        if count + data.count > maximumBodySize {
          exchanges[dataTask.taskIdentifier]?.failure = tooLarge
          return true
        }
        exchanges[dataTask.taskIdentifier]?.response?.body.append(data)
        return false
      }
      if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let exchange = lock.withLock({ exchanges.removeValue(forKey: task.taskIdentifier) })
      else { return }
      let result: Result<HTTPResponse, TransportError> =
        if let failure = exchange.failure {
          .failure(failure)
        } else if let error {
          .failure(failure(error))
        } else if let response = exchange.response {
          .success(response)
        } else {
          .failure(.badResponse("it is no HTTP"))
        }
      exchange.waiting.resume(returning: result)
    }

    private var tooLarge: TransportError {
      .badResponse("its body is larger than \(maximumBodySize) bytes")
    }

    private func failure(_ error: any Error) -> TransportError {
      let text = error.localizedDescription
      return switch (error as? URLError)?.code {
      case .cancelled: .cancelled
      case .timedOut: .timedOut
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
        .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
        .notConnected(text)
      case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData: .badResponse(text)
      default: .interrupted(text)
      }
    }
  }
#endif
