import Foundation

/// Makes an answer of bytes as they come.
struct ResponseParser {
  private enum State {
    case head
    case sized(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailer
    case untilEnd
    case complete
  }

  /// How large a header may be, and the trailer.
  static let maximumHeadSize = 64 << 10

  private let hasBody: Bool
  private let maximumBodySize: Int
  private var state = State.head
  private var lines = HeadLines()
  private var response = HTTPResponse(0)

  /// Whether the connection may serve another request.
  private(set) var isReusable = true

  /// Whether any byte has come.
  private(set) var hasBegun = false

  /// - Parameters:
  ///   - method: That of the request: an answer to `HEAD` has no body, whatever it says.
  ///   - maximumBodySize: How many bytes a body may have.
  init(for method: HTTPMethod, maximumBodySize: Int) {
    hasBody = method != .head
    self.maximumBodySize = maximumBodySize
  }

  /// Reads bytes.
  ///
  /// - Returns: The answer, when it is complete. Bytes behind it belong to no answer: the
  ///   connection is then not reusable.
  /// - Throws: ``TransportError/badResponse(_:)``.
  mutating func read(_ bytes: ArraySlice<UInt8>) throws(TransportError) -> HTTPResponse? {
    var rest = bytes
    if !rest.isEmpty { hasBegun = true }
    while !rest.isEmpty {
      if case .complete = state {
        isReusable = false
        break
      }
      try step(&rest)
    }
    // An answer may be complete without a body.
    if case .complete = state { return response }
    return nil
  }

  /// The other side has ended the connection.
  ///
  /// - Returns: The answer, if that is how its end is marked.
  /// - Throws: ``TransportError/interrupted(_:)``.
  mutating func end() throws(TransportError) -> HTTPResponse {
    isReusable = false
    switch state {
    case .complete, .untilEnd: return response
    case .head:
      throw .interrupted(hasBegun ? "it ended in the header" : "it ended without an answer")
    default: throw .interrupted("it ended in the body, after \(response.body.count) bytes")
    }
  }

  /// The status and the header, as soon as they have come; with what has come of the body.
  var head: HTTPResponse? { response.status == 0 ? nil : response }

  /// Takes what has come of the body, which no longer counts for its maximum.
  mutating func takeBody() -> Data {
    defer { response.body = Data() }
    return response.body
  }

  // MARK: Parts

  private mutating func step(_ rest: inout ArraySlice<UInt8>) throws(TransportError) {
    switch state {
    case .head:
      if let head = try lines.read(&rest) { try begin(head) }
    case .sized(let remaining):
      let left = try take(remaining, from: &rest)
      state = left == 0 ? .complete : .sized(remaining: left)
    case .chunkSize:
      guard let line = try lines.readLine(&rest) else { return }
      let size = try chunkSize(line)
      lines = HeadLines()
      state = size == 0 ? .trailer : .chunk(remaining: size)
    case .chunk(let remaining):
      let left = try take(remaining, from: &rest)
      state = left == 0 ? .chunkEnd : .chunk(remaining: left)
    case .chunkEnd:
      guard let line = try lines.readLine(&rest) else { return }
      guard line.isEmpty else { throw .badResponse("a chunk is longer than it says") }
      lines = HeadLines()
      state = .chunkSize
    case .trailer:
      if try lines.read(&rest) != nil { state = .complete }
    case .untilEnd:
      _ = try take(.max, from: &rest)
    case .complete: break
    }
  }

  private mutating func take(
    _ count: Int, from rest: inout ArraySlice<UInt8>
  ) throws(TransportError) -> Int {
    let part = rest.prefix(count)
    guard response.body.count + part.count <= maximumBodySize else { throw tooLarge }
    response.body.append(contentsOf: part)
    rest = rest.dropFirst(part.count)
    return count - part.count
  }

  private var tooLarge: TransportError {
    .badResponse("its body is larger than \(maximumBodySize) bytes")
  }

  private mutating func begin(_ head: [String]) throws(TransportError) {
    lines = HeadLines()
    let (version, status) = try statusLine(head.first ?? "")
    var headers = HTTPHeaders()
    for line in ResponseParser.unfolded(head.dropFirst()) {
      guard let field = field(line) else { throw .badResponse("a line of the header is no field") }
      headers.add(field.name, field.value)
    }
    // What comes before the answer, such as 100; 101 would be another protocol.
    if (100..<200).contains(status) {
      if status == 101 { throw .badResponse("it changes to another protocol") }
      return
    }
    response = HTTPResponse(status, headers: headers)
    let connection = headers["Connection"]?.lowercased() ?? ""
    isReusable = version == 1 ? !connection.contains("close") : connection.contains("keep-alive")
    state = try bodyState(status, headers)
  }

  // The lines of the fields. One that begins with a space goes on with the one before, with which
  // it is joined by a space.
  private static func unfolded(_ head: ArraySlice<String>) -> [String] {
    // PERFORMANCE: Hardly any server folds lines (H2.bare).
    guard head.contains(where: isFolded) else { return Array(head) }
    var lines: [String] = []
    for line in head {
      guard isFolded(line), let last = lines.popLast() else {
        lines.append(line)
        continue
      }
      lines.append("\(last) \(line.drop { $0 == " " || $0 == "\t" })")
    }
    return lines
  }

  private static func isFolded(_ line: String) -> Bool {
    line.utf8.first == UInt8(ascii: " ") || line.utf8.first == UInt8(ascii: "\t")
  }

  /// The field that a line is; nil if it is none.
  // PERFORMANCE: By its bytes: to find characters in it took longer than all else (H2.bare).
  private func field(_ line: String) -> (name: String, value: String)? {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return nil
    }
    let name = line[..<colon]
    let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isPlain || !name.contains(where: \.isWhitespace) else { return nil }
    var value = line.utf8[line.utf8.index(after: colon)...]
    while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
    while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
    return (String(name), String(Substring(value)))
  }

  private mutating func bodyState(
    _ status: Int, _ headers: HTTPHeaders
  ) throws(TransportError) -> State {
    if !hasBody || status == 204 || status == 304 { return .complete }
    if let coding = headers["Transfer-Encoding"] {
      guard coding.lowercased() == "chunked" else {
        throw .badResponse("its body is encoded as '\(coding)'")
      }
      // A proxy in between might have read something else.
      if headers["Content-Length"] != nil { isReusable = false }
      return .chunkSize
    }
    let lengths = Set(headers.values(of: "Content-Length"))
    guard let text = lengths.first else {
      isReusable = false
      return .untilEnd
    }
    guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(text)
    else { throw .badResponse("its length is '\(lengths.sorted().joined(separator: ", "))'") }
    guard length <= maximumBodySize else { throw tooLarge }
    return length == 0 ? .complete : .sized(remaining: length)
  }

  /// The minor version and the status.
  private func statusLine(_ line: String) throws(TransportError) -> (Int, Int) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, ["HTTP/1.1", "HTTP/1.0"].contains(parts[0]), parts[1].utf8.count == 3,
      let status = Int(parts[1]), (100..<600).contains(status)
    else { throw .badResponse("it is no HTTP/1.1") }
    return (parts[0] == "HTTP/1.1" ? 1 : 0, status)
  }

  private func chunkSize(_ line: String) throws(TransportError) -> Int {
    let digits = line.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    guard !digits.isEmpty, digits.utf8.count <= 15, digits.allSatisfy(\.isHexDigit),
      let size = Int(digits, radix: 16)
    else { throw .badResponse("the size of a chunk is no number") }
    guard size <= maximumBodySize - response.body.count else { throw tooLarge }
    return size
  }
}

/// The lines of a header as its bytes come.
private struct HeadLines {
  private var line: [UInt8] = []
  private var lines: [String] = []
  private var count = 0

  /// All lines, when the empty one has come that ends them.
  mutating func read(_ rest: inout ArraySlice<UInt8>) throws(TransportError) -> [String]? {
    while let line = try readLine(&rest) {
      if line.isEmpty { return lines }
      lines.append(line)
    }
    return nil
  }

  /// The next line without its end; nil if it has not come as a whole.
  mutating func readLine(_ rest: inout ArraySlice<UInt8>) throws(TransportError) -> String? {
    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    let part = rest[..<(end ?? rest.endIndex)]
    count += part.count + 1
    guard count <= ResponseParser.maximumHeadSize else {
      throw .badResponse("its header is larger than \(ResponseParser.maximumHeadSize) bytes")
    }
    line += part
    guard let end else {
      rest = []
      return nil
    }
    rest = rest[(end + 1)...]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { line.removeAll(keepingCapacity: true) }
    guard line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
      throw .badResponse("its header has control characters")
    }
    return String(decoding: line, as: UTF8.self)
  }
}
