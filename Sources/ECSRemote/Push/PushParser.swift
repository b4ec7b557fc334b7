import Foundation

/// An item of a feed.
enum PushItem: Equatable {
  case event(PushEvent)

  /// Where in the feed it goes on, without an event.
  case position(String)

  /// How long to wait before the next connection.
  case retry(Duration)
}

/// Takes the bytes of a feed apart, in whatever pieces they come.
protocol PushParser {
  /// What has become complete with some more bytes.
  ///
  /// - Throws: ``TransportError/badResponse(_:)`` if an event is too large.
  mutating func read(_ part: Data) throws(TransportError) -> [PushItem]

  /// What is complete since the server has ended the feed as it should.
  mutating func finish() -> [PushItem]
}

extension String {
  /// Whether it can be kept as a place in a feed, and be sent back in a header: at most 4 KiB
  /// without control characters.
  var isFeedPosition: Bool {
    utf8.count <= 4 << 10 && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

/// Lines of bytes, whose ends are CR, LF or both, or LF only.
struct PushLines {
  private let returnEnds: Bool
  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var isFirst = true

  init(returnEnds: Bool) { self.returnEnds = returnEnds }

  /// How many bytes the line has that is not complete.
  var count: Int { line.count }

  /// The next line without its end; nil if it has not come as a whole.
  mutating func next(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    if isAfterReturn, !rest.isEmpty {
      isAfterReturn = false
      if rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
    }
    let end = rest.firstIndex { byte in
      byte == UInt8(ascii: "\n") || returnEnds && byte == UInt8(ascii: "\r")
    }
    line += rest[..<(end ?? rest.endIndex)]
    guard let end else {
      rest = []
      return nil
    }
    isAfterReturn = rest[end] == UInt8(ascii: "\r")
    rest = rest[(end + 1)...]
    return take()
  }

  /// What is there of a line without an end.
  mutating func take() -> [UInt8] {
    defer {
      line.removeAll(keepingCapacity: line.count < 64 << 10)
      isFirst = false
    }
    // What may stand before all text.
    return isFirst && line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
  }
}
