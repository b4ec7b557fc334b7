#if Inspector
  import ECSTestSupport
  import ECS
  import ECSInspector
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// A clock that stands still until a test turns it.
  final class StoppedClock: Sendable {
    private let present = Mutex(Duration.zero)

    var time: Duration { present.withLock(\.self) }

    func turn(to time: Duration) { present.withLock { $0 = time } }
  }

  /// Asks an inspector as its page does.
  struct Visitor {
    let inspector: Inspector

    init(_ inspector: Inspector) { self.inspector = inspector }

    /// Starts an inspector, from which connections that have not shown the token have an hour, and
    /// whose clock stands still, unless said otherwise: a test may have to wait for others.
    init(
      readOnly: Bool = true, unknownLimit: Duration = .seconds(3_600),
      clock: StoppedClock = StoppedClock(),
      _ sources: (inout InspectorSources) -> Void = { _ in }
    ) async throws {
      inspector = try await Inspector(
        readOnly: readOnly, allowInRelease: true, unknownLimit: unknownLimit, now: { clock.time },
        sources)
    }

    var port: Int { inspector.url.port ?? 0 }
    var token: String { inspector.url.fragment ?? "" }

    func client() throws -> RawClient { try RawClient(port: port) }

    /// A request as text; headers that are nil are left out.
    func request(
      _ method: String, _ target: String, body: String = "", _ changed: [String: String?] = [:]
    ) -> String {
      var headers: [String: String?] = [
        "Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(token)",
      ]
      if !body.isEmpty {
        headers["Content-Type"] = "application/json"
        headers["Content-Length"] = "\(body.utf8.count)"
      }
      headers.merge(changed) { $1 }
      let lines = headers.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
      return "\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n\(body)"
    }

    func ask(
      _ method: String, _ target: String, body: String = "", _ changed: [String: String?] = [:]
    ) async throws -> RawAnswer {
      let client = try client()
      await client.send(request(method, target, body: body, changed))
      return try await client.answer()
    }

    /// The answer to a request that succeeds.
    func get(_ target: String) async throws -> JSONValue {
      let answer = try await ask("GET", target)
      expectEqual(answer.status, 200, "\(answer.text)")
      return try answer.json()
    }
  }
#endif
