#if canImport(Darwin)
  import Foundation

  /// Sends requests through Foundation's `URLSession`, with deadlines and limits of our own.
  ///
  /// It is there on Apple's systems; see ``SocketTransport`` for others.
  public final class URLSessionTransport: StreamingTransport {
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
      let (seconds, _) = request.timeout.components
      let task = session.dataTask(with: try made(request, seconds))
      let delegate = delegate
      return try await withDeadline(request.timeout) {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            delegate.expect(task.taskIdentifier, request, continuation)
            task.resume()
          }
        } onCancel: {
          task.cancel()
        }
      }
    }

    /// Sends a request and waits for the header of the answer, whatever its status is.
    ///
    /// - Throws: ``TransportError``.
    public func stream(
      _ request: HTTPRequest, sent: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws(TransportError) -> HTTPStream {
      let task = session.dataTask(with: try made(request, 1 << 31))
      let (pipe, head) = (BodyPipe(), Promise<Result<HTTPResponse, TransportError>>())
      let body = HTTPBody(pipe)
      delegate.expect(
        task.taskIdentifier, SessionStream(request: request, pipe: pipe, head: head, sent: sent))
      // The transport is kept, since its end would end the connection.
      pipe.begin(
        more: { [self] in delegate.goOn(task) }, stop: { task.cancel() })
      task.resume()
      let answer = try await withDeadline(request.timeout) {
        await withTaskCancellationHandler {
          await head.wait()
        } onCancel: {
          task.cancel()
        }
      }
      return HTTPStream(answer.status, headers: answer.headers, body: body)
    }

    private func made(
      _ request: HTTPRequest, _ seconds: Int64
    ) throws(TransportError) -> URLRequest {
      try request.check()
      var made = URLRequest(url: request.url)
      made.httpMethod = request.method.rawValue
      for field in request.headers.fields {
        made.addValue(field.value, forHTTPHeaderField: field.name)
      }
      // Otherwise it asks for compressed answers.
      if request.headers["Accept-Encoding"] == nil {
        made.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      }
      made.httpBody = request.body
      // The deadline is ours; this one counts pauses between bytes.
      made.timeoutInterval = Double(min(seconds, 1 << 31)) + 1
      return made
    }
  }

  /// An answer that is handed over as it comes.
  private struct SessionStream {
    let request: HTTPRequest
    let pipe: BodyPipe
    let head: Promise<Result<HTTPResponse, TransportError>>
    let sent: @Sendable (Int) -> Void
  }

  /// Collects the answers of a session's tasks.
  // Guarded by its lock.
  private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Waiting = CheckedContinuation<Result<HTTPResponse, TransportError>, Never>

    private struct Exchange {
      let request: HTTPRequest
      let waiting: Waiting
      var response: HTTPResponse?
      var failure: TransportError?
    }

    private let maximumBodySize: Int
    private let lock = NSLock()
    private var exchanges: [Int: Exchange] = [:]
    private var streams: [Int: SessionStream] = [:]
    private var paused: Set<Int> = []

    init(maximumBodySize: Int) { self.maximumBodySize = maximumBodySize }

    func expect(_ index: Int, _ request: HTTPRequest, _ waiting: Waiting) {
      lock.withLock { exchanges[index] = Exchange(request: request, waiting: waiting) }
    }

    func expect(_ index: Int, _ stream: SessionStream) {
      lock.withLock { streams[index] = stream }
    }

    // A session counts how often a task is suspended, and parts that are on their way come all the
    // same.
    private func pause(_ task: URLSessionTask) {
      lock.withLock {
        if paused.insert(task.taskIdentifier).inserted { task.suspend() }
      }
    }

    func goOn(_ task: URLSessionTask) {
      lock.withLock {
        if paused.remove(task.taskIdentifier) != nil { task.resume() }
      }
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
      let number = dataTask.taskIdentifier
      let head = (response as? HTTPURLResponse).map { response in
        var headers = HTTPHeaders()
        for (name, value) in response.allHeaderFields { headers.add("\(name)", "\(value)") }
        return HTTPResponse(response.statusCode, headers: headers)
      }
      let stream = lock.withLock { streams[number] }
      let request = stream?.request ?? lock.withLock { exchanges[number]?.request }
      var failure: TransportError?
      do throws(TransportError) {
        if let head { try request?.checkCoding(of: head.headers) }
      } catch {
        failure = error
      }
      if let stream {
        if let failure {
          stream.head.fire(.failure(failure))
        } else if let head {
          stream.head.fire(.success(head))
        }
      } else {
        if response.expectedContentLength > Int64(maximumBodySize) { failure = tooLarge }
        lock.withLock {
          exchanges[number]?.failure = failure
          exchanges[number]?.response = head
        }
      }
      completionHandler(failure == nil ? .allow : .cancel)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      let stream = lock.withLock { streams[task.taskIdentifier] }
      stream?.sent(Int(totalBytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      if let stream = lock.withLock({ streams[dataTask.taskIdentifier] }) {
        if !stream.pipe.write(data) {
          pause(dataTask)
          // The reader may have made room before.
          if stream.pipe.hasRoom { goOn(dataTask) }
        }
        return
      }
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
      if let stream = lock.withLock({ streams.removeValue(forKey: task.taskIdentifier) }) {
        let result: Result<Void, TransportError> =
          error.map { .failure(failure($0)) } ?? .success(())
        stream.head.fire(
          result.flatMap { _ in .failure(.badResponse("it is no HTTP")) })
        stream.pipe.finish(result)
        return
      }
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
