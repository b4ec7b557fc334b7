import ECSRemote
import ECSTestSupport
import Foundation

/// Feeds that a server sends, one after the other, and then nothing to follow.
func feedAnswers(_ texts: [String]) -> @Sendable (HTTPRequest) -> HTTPResponse? {
  let connections = Counter()
  return { request in
    guard request.url.lastPathComponent == "events" else { return nil }
    let number = connections.add(1)
    guard number <= texts.count else { return HTTPResponse(204) }
    return .json(texts[number - 1], 200, ["Content-Type": "text/event-stream"])
  }
}

func event(_ name: String, _ data: String, _ id: String = "1") -> String {
  "event: \(name)\nid: \(id)\ndata: \(data)\n\n"
}

extension Outpost {
  var feed: RemoteFeed {
    RemoteFeed(of: posts, named: "posts") { baseURL.appendingPathComponent("events") }
  }

  /// Follows to the end, however long that waits.
  func follow(_ feed: RemoteFeed) async throws {
    let isOver = Switch()
    let task = Task {
      defer { isOver.isOn = true }
      try await remote.follow(feed)
    }
    while !isOver.isOn {
      await pause()
      if time.timerCount > 0 { time.advance(by: .seconds(1)) }
    }
    try await task.value
  }
}

extension RemoteFeed {
  /// The same, without an end of its patience: beside tests that hold the threads of all tasks for
  /// minutes, what has come is read late.
  var patient: RemoteFeed {
    var feed = self
    feed.silence = nil
    return feed
  }
}
