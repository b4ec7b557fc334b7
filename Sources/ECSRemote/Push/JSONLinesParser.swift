import ECSRecipes
import Foundation

/// Takes lines of JSON apart; empty ones only say that the server is there.
struct JSONLinesParser: PushParser {
  private let maximumSize: Int
  private let position: @Sendable (JSONValue) -> String?
  private var lines = PushLines(returnEnds: false)
  private var lastID: String

  init(
    after lastID: String, maximumSize: Int,
    position: @escaping @Sendable (JSONValue) -> String?
  ) {
    (self.lastID, self.maximumSize, self.position) = (lastID, maximumSize, position)
  }

  mutating func read(_ part: Data) throws(TransportError) -> [PushItem] {
    var items: [PushItem] = []
    var rest = Array(part)[...]
    while !rest.isEmpty {
      let line = lines.next(&rest)
      guard line?.count ?? lines.count <= maximumSize else {
        throw .badResponse("an event is larger than \(maximumSize) bytes")
      }
      guard let line else { break }
      if let item = item(line) { items.append(item) }
    }
    return items
  }

  // The last line may have no end, or be a part of one: the end of a connection may be that of the
  // feed. What may not be whole comes again. The first digits of a number are a number, too.
  mutating func finish() -> [PushItem] {
    let line = lines.take()
    guard let last = line.last, !(0x30...0x39).contains(last),
      (try? JSONValue(data: Data(line))) != nil
    else { return [] }
    return item(line).map { [$0] } ?? []
  }

  private mutating func item(_ line: [UInt8]) -> PushItem? {
    let text = String(decoding: line, as: UTF8.self)
    if text.allSatisfy(\.isWhitespace) { return nil }
    if let data = try? JSONValue(data: Data(line)), let id = position(data), id.isFeedPosition {
      lastID = id
    }
    return .event(PushEvent(data: text, id: lastID))
  }
}
