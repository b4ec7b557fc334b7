#if Inspector
  import Synchronization

  /// Decides which requests are let in.
  final class Gate: Sendable {
    let token = Token()
    private let now: @Sendable () -> Duration
    private let failures = Mutex<[Duration]>([])

    /// How many wrong tokens in a second are said to be wrong; others are too many.
    static var failuresPerSecond: Int { 10 }

    /// The bytes that a body may have.
    static var largestBody: Int { 1 << 20 }

    init(now: @escaping @Sendable () -> Duration) { self.now = now }

    /// Refuses what does not come from the page itself, or a program of this machine.
    ///
    /// A name that leads here from elsewhere shows in the host, a page of another site in where it
    /// says that it comes from.
    func checkOrigin(_ headers: [String: String], port: UInt16) throws(Failure) {
      let host = headers["host"]?.lowercased() ?? ""
      let names = ["127.0.0.1", "localhost", "[::1]"]
      // The port of HTTP is not named.
      guard names.contains(where: { host == "\($0):\(port)" || (port == 80 && host == $0) }) else {
        throw Failure(421, "the inspector is not known by this name")
      }
      if let origin = headers["origin"], origin.lowercased() != "http://\(host)" {
        throw Failure(403, "another site asks")
      }
      if let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
        throw Failure(403, "another site asks")
      }
    }

    /// Refuses requests without the token.
    func checkToken(_ headers: [String: String]) throws(Failure) {
      let parts = (headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
      let given = parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : ""
      // It is let in however many wrong ones there are: any program could keep the page out
      // otherwise, and none can try enough of them.
      if token.matches(given) { return }
      let isTooMuch = failures.withLock { failures in
        let time = now()
        failures.removeAll { time - $0 >= .seconds(1) }
        guard failures.count < Gate.failuresPerSecond else { return true }
        failures.append(time)
        return false
      }
      if isTooMuch { throw Failure(429, "too many wrong tokens: try again in a second") }
      throw Failure(401, "the token is missing or wrong")
    }
  }
#endif
