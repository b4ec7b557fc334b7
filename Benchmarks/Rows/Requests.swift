import ECS
import ECSRecipes
import ECSRemote
import Foundation

extension Benchmark {
  /// Answers of servers on their way into entities.
  static var requests: [Benchmark] {
    [
      Benchmark(
        "H1.bare", "parse N objects of 4 fields and import them, for comparison",
        .nanoseconds(per: "object"), sizes: [AnswerWorld.size],
        ecs: Workload(
          plain: .fresh, setUp: { AnswerWorld($0) }, run: { $0.importAnswer() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      list("H1", "list the same in one answer, new", .ifMatch(.local)),
      list("H1.last", "the same, and the last to write wins", .lastWriteWins),
      Benchmark(
        "H2.bare", "send N small requests to a server on loopback, one after the other",
        .nanoseconds(per: "request"), sizes: [RequestWorld.size],
        ecs: Workload(
          plain: .kept, setUp: { RequestWorld($0, isLocal: false) }, run: { $0.sendAll() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      fetches("H2", "fetch N entities from it, one after the other", isLocal: false),
      fetches("H2.stub", "fetch N entities without a network", isLocal: true),
    ]
  }

  private static func list(
    _ id: String, _ title: String, _ conflicts: RemoteConflictPolicy
  ) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: "object"), sizes: [AnswerWorld.size],
      ecs: Workload(
        plain: .fresh, setUp: { AnswerWorld($0, conflicts) }, run: { $0.listAnswer() },
        check: { world, count in Checksum(count, expected: Double(world.n)) }))
  }

  private static func fetches(_ id: String, _ title: String, isLocal: Bool) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: "request"), sizes: [RequestWorld.size],
      ecs: Workload(
        plain: .kept, setUp: { RequestWorld($0, isLocal: isLocal) },
        prepare: { $0.prepare() }, run: { $0.fetchAll() },
        check: { world, count in Checksum(count, expected: Double(world.n) * 2) }))
  }
}

private struct Member: Component {
  var id = 0
  var name = ""
  var score = 0.0
  var isActive = false
}

/// A context with a remote, and a resource of members.
private class RemoteWorld: ContextWorld {
  let remote: Remote
  let recipe: Recipe
  let members: Resource

  init(
    _ n: Int, _ transport: any HTTPTransport, _ base: URL, _ conflicts: RemoteConflictPolicy
  ) {
    let context = Context()
    remote = Remote(context, transport: transport)
    guard
      let recipe = try? Recipe(
        "member",
        {
          Identity(\Member.id)
          Fields(of: Member()) {
            Field(\.id, at: "id")
            Field(\.name, at: "name")
            Field(\.score, at: "score")
            Field(\.isActive, at: "is_active")
          }
        })
    else { preconditionFailure("The recipe of the benchmark was refused: correct its paths.") }
    self.recipe = recipe
    members = Resource(recipe, conflicts: conflicts) { base }
    super.init(n, context)
  }

  /// The result of an operation, for which the thread waits; NaN if it throws.
  static func wait(for operation: @escaping @Sendable () async throws -> Double) -> Double {
    let result = Outcome()
    let end = DispatchSemaphore(value: 0)
    Task {
      result.value = (try? await operation()) ?? .nan
      end.signal()
    }
    end.wait()
    return result.value
  }

  // Written before the signal and read after it.
  private final class Outcome: @unchecked Sendable {
    var value = Double.nan
  }
}

/// An answer with many objects.
private final class AnswerWorld: RemoteWorld {
  static let size = 10_000

  private let answer: Foundation.Data

  init(_ n: Int, _ conflicts: RemoteConflictPolicy = .lastWriteWins) {
    let records = (0..<n).map { number -> JSONValue in
      [
        "id": .number(JSONNumber(number)), "name": "person \(number)",
        "score": .number(JSONNumber(Double(number) / 4) ?? 0), "is_active": .bool(number % 2 == 0),
      ]
    }
    let answer = JSONValue.array(records).data()
    self.answer = answer
    super.init(
      n, StubTransport { _ in HTTPResponse(200, body: answer) }, URL(filePath: "/"), conflicts)
  }

  func importAnswer() -> Double {
    guard let records = try? JSONValue(data: answer).array else { return .nan }
    let report = try? remote.mapper.importList(records, with: recipe)
    return Double(report?.made ?? 0)
  }

  func listAnswer() -> Double {
    let (remote, members) = (remote, members)
    return RemoteWorld.wait { Double(try await remote.list(members).count) }
  }
}

/// A server that answers each request in the same way.
private final class RequestWorld: RemoteWorld {
  static let size = 1000

  private static let answer = #"{"id":1,"name":"person 1","score":0.25,"is_active":true}"#
  private let transport: any HTTPTransport
  private let base: URL
  private let server: LoopbackServer?

  init(_ n: Int, isLocal: Bool) {
    let answer = RequestWorld.answer
    var server: LoopbackServer?
    var base = URL(filePath: "/")
    var transport: any HTTPTransport = Echo(body: Foundation.Data(answer.utf8))
    if !isLocal {
      guard let new = LoopbackServer(answering: answer), let url = URL(string: new.url) else {
        preconditionFailure("The server of the benchmark can't listen: free a port.")
      }
      (server, base, transport) = (new, url, SocketTransport())
    }
    (self.server, self.base, self.transport) = (server, base, transport)
    super.init(n, transport, base, .ifMatch(.local))
    entities = [context.createEntity(with: Member(id: 1))]
  }

  /// What is to be fetched differs from what is there.
  func prepare() { entities[0].set(Member(id: 1)) }

  /// The number of answers.
  func sendAll() -> Double {
    let (transport, n, url) = (transport, n, base.appending(path: "1"))
    return RemoteWorld.wait {
      var count = 0.0
      for _ in 0..<n {
        let response = try await transport.send(HTTPRequest(.get, url))
        if response.status == 200 { count += 1 }
      }
      return count
    }
  }

  /// The number of answers, and once more that of fetches after which the entity was as it should be.
  func fetchAll() -> Double {
    let (remote, members, n, entity) = (remote, members, n, entities[0])
    return RemoteWorld.wait {
      var count = 0.0
      for _ in 0..<n {
        _ = try await remote.fetch(entity, as: members)
        count += 1
        if entity.get(Member.self)?.score == 0.25 { count += 1 }
      }
      return count
    }
  }
}

/// Answers at once.
private struct Echo: HTTPTransport {
  let body: Foundation.Data

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    HTTPResponse(200, body: body)
  }
}
