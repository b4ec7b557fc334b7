import Foundation

/// Takes server-sent events apart, as the WHATWG's standard for HTML says.
struct EventStreamParser: PushParser {
  private let maximumSize: Int
  private var lines = PushLines(returnEnds: true)
  private var data: [UInt8] = []
  private var name: [UInt8] = []
  private var id: String
  private var lastID: String

  /// - Parameters:
  ///   - lastID: Where in the feed it begins.
  ///   - maximumSize: How many bytes an event may have, or a line.
  init(after lastID: String, maximumSize: Int) {
    (id, self.lastID, self.maximumSize) = (lastID, lastID, maximumSize)
  }

  mutating func read(_ part: Data) throws(TransportError) -> [PushItem] {
    var items: [PushItem] = []
    var rest = Array(part)[...]
    while !rest.isEmpty {
      let line = lines.next(&rest)
      let size = data.count + name.count + (line?.count ?? lines.count)
      guard size <= maximumSize else {
        throw .badResponse("an event is larger than \(maximumSize) bytes")
      }
      guard let line else { break }
      if let item = item(line) { items.append(item) }
    }
    return items
  }

  // What the server has not ended with an empty line is no event.
  mutating func finish() -> [PushItem] { [] }

  private mutating func item(_ line: [UInt8]) -> PushItem? {
    if line.isEmpty { return dispatched() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let field = line[..<(colon ?? line.endIndex)]
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    switch String(decoding: field, as: UTF8.self) {
    case "data":
      data += value
      data.append(UInt8(ascii: "\n"))
    case "event": name = Array(value)
    case "id":
      // NUL is what the standard says; the rest could not be sent back.
      let position = String(decoding: value, as: UTF8.self)
      if position.isFeedPosition { id = position }
    case "retry":
      if let number = milliseconds(value) { return .retry(number) }
    default: break
    }
    return nil
  }

  private mutating func dispatched() -> PushItem? {
    defer {
      data.removeAll(keepingCapacity: data.count < 64 << 10)
      name = []
      lastID = id
    }
    if data.isEmpty { return id == lastID ? nil : .position(id) }
    return .event(
      PushEvent(
        name: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
        data: String(decoding: data.dropLast(), as: UTF8.self), id: id))
  }

  private func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
    guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // More digits than these are more than any limit.
    let number = Int(String(decoding: value.drop { $0 == 0x30 }.prefix(15), as: UTF8.self)) ?? 0
    return .milliseconds(number)
  }
}
