import ECS
import ECSRecipes
import ECSRemote
import ECSTestSupport
import ECSTesting
import Foundation

struct PostID: Component, Hashable { var value = 0 }
struct Post: Component, Hashable {
  var title = ""
  var text: String?
  var stars = 0
}
struct Place: Component, Hashable {
  var city = ""
  var country = ""
}

/// A client with a server of closures, and time that a test turns.
struct Desk {
  let context = Context()
  let time = ManualClock()
  let transport: StubTransport
  let remote: Remote
  let recipe: Recipe

  init(
    _ kind: DeskTransport = .stub,
    _ change: (inout RemoteConfiguration) -> Void = { _ in },
    _ answer: @escaping @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse
  ) throws {
    recipe = try Recipe("post") {
      Identity(\PostID.value, at: "id", of: PostID())
      Fields(of: Post()) {
        Field(\.title, at: "title")
        Field(\.text, at: "text")
        Field(\.stars, at: "stars")
      }
      Fields(of: Place()) {
        Field(\.city, at: "place.city")
        Field(\.country, at: "place.country")
      }
    }
    transport = StubTransport(answer)
    var configuration = RemoteConfiguration()
    configuration.clock = time.clock
    configuration.date = { [time] in
      Date(timeIntervalSince1970: Double(time.now.components.seconds))
    }
    configuration.random = { 1 }
    change(&configuration)
    remote = Remote(context, transport: kind.over(transport), configuration: configuration)
  }

  func posts(
    _ update: Resource.Update = .replacing, staleAfter: Duration = .zero
  ) -> Resource {
    Resource(recipe, update: update, staleAfter: staleAfter) { baseURL }
  }

  /// An entity that the server has.
  func post(_ id: Int = 7, _ post: Post = Post()) -> Entity {
    context.createEntity(with: PostID(value: id), post)
  }

  /// The requests, as lines: method, URL, body.
  var lines: [String] { transport.requests.map(\.line) }

  /// Waits until so many timers are set, and turns the time.
  func advance(by duration: Duration, timers: Int = 1) async {
    while time.timerCount < timers { await pause() }
    time.advance(by: duration)
  }
}

let baseURL = URL(string: "http://api.example/v1/posts") ?? URL(fileURLWithPath: "/")

extension HTTPRequest {
  var line: String {
    let text = body.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
    return "\(method) \(url.absoluteString)\(text)"
  }
}

extension HTTPResponse {
  static func json(_ text: String, _ status: Int = 200, _ headers: HTTPHeaders = [:]) -> Self {
    HTTPResponse(status, headers: headers, body: Data(text.utf8))
  }
}

/// A gate that tests open.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private(set) var arrivals = 0

  func pass() async {
    arrivals += 1
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOpen = true
    for one in waiting { one.resume() }
    waiting = []
  }

  func waitForArrivals(_ count: Int) async {
    while arrivals < count { await pause() }
  }
}
