import ECSRecipes
import Foundation

/// The position of the next page of a list.
struct PagePosition: Sendable, Hashable {
  /// The number of pages before it, and of their entities.
  private var pages = 0
  private var entities = 0
  private var address = Address()
  private var circle = CircleFinder<Address>()

  /// What the server answered for the page before, of servers that are asked by numbers.
  private var previous: JSONValue?

  /// The server's word about the place of a page.
  private struct Address: Sendable, Hashable {
    var cursor: JSONValue?
    var url: URL?
  }

  /// Where the page is, if the server has said so; else the URL of the list with parameters.
  var url: URL? { address.url }

  /// What asks for the page.
  func parameters(_ paging: Paging, size: Int) -> JSONObject {
    func sized(_ name: String?, _ rest: JSONObject = [:]) -> JSONObject {
      var parameters = rest
      if let name { parameters[name] = .number(JSONNumber(size)) }
      return parameters
    }
    switch paging {
    case .none: return [:]
    case .pages(let number, let name, let first):
      return sized(name, [number: .number(JSONNumber(first + pages))])
    case .offset(let start, let name): return sized(name, [start: .number(JSONNumber(entities))])
    case .cursor(let parameter, _, let name):
      return sized(name, address.cursor.map { [parameter: $0] } ?? [:])
    case .linkHeader(let name): return sized(name)
    }
  }

  // The position after this page; nil if it is the last one. That the server leads in a circle or
  // elsewhere is an error.
  func successor(
    _ paging: Paging, size: Int, count: Int, _ data: JSONValue, _ answer: RemoteAnswer
  ) throws(RemoteError) -> PagePosition? {
    var next = self
    next.pages += 1
    next.entities += count
    switch paging {
    case .none: return nil
    case .pages, .offset:
      if count < size { return nil }
      // A server that ignores what is asked for answers the same for ever.
      if count > 0, data == previous {
        throw .transport(.badResponse("two pages after each other are the same"))
      }
      next.previous = data
      return next
    case .cursor(_, let path, _):
      guard let token = data[path], token != .null, token != "" else { return nil }
      try next.go(to: Address(cursor: token))
      return next
    case .linkHeader:
      guard let url = LinkField.next(in: answer.response.headers, at: answer.url) else {
        return nil
      }
      guard let origin = Origin(url), origin == Origin(answer.url) else {
        throw .transport(.badResponse("the next page is on another server: \(url)"))
      }
      if url == answer.url { throw .transport(.badResponse("the next page is the same one")) }
      try next.go(to: Address(url: url))
      return next
    }
  }

  private mutating func go(to next: Address) throws(RemoteError) {
    if next == address || circle.comesBack(at: next) {
      throw .transport(.badResponse("the next page was there already"))
    }
    address = next
  }
}

/// Finds out that a sequence in which each element determines the next one goes round in a circle,
/// at the latest when it has gone round three times (Brent, "An Improved Monte Carlo Factorization
/// Algorithm", 1980), and keeps one element for it.
struct CircleFinder<Element: Hashable & Sendable>: Hashable, Sendable {
  private var kept: Element?
  private var steps = 0
  private var limit = 1

  /// Whether the next element was there before.
  mutating func comesBack(at element: Element) -> Bool {
    if element == kept { return true }
    steps += 1
    if steps == limit { (kept, steps, limit) = (element, 0, limit * 2) }
    return false
  }
}

/// The field `Link` of RFC 8288.
enum LinkField {
  /// The URL of the next page; nil if there is none.
  static func next(in headers: HTTPHeaders, at base: URL) -> URL? {
    for value in headers.values(of: "Link") {
      for link in links(in: value) where link.relations.contains("next") {
        return URL(string: link.target, relativeTo: base)?.absoluteURL
      }
    }
    return nil
  }

  private struct Link {
    let target: String
    let relations: [String]
  }

  /// What stands between `<` and `>`, each with its relations; what is no link is passed over.
  private static func links(in value: String) -> [Link] {
    var links: [Link] = []
    var rest = value[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let target = String(rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
      let parameters = rest.prefix { $0 != "<" }
      var relations: [String] = []
      for parameter in parameters.split(whereSeparator: { $0 == ";" || $0 == "," }) {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "rel"
        else { continue }
        let names = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        relations += names.lowercased().split(separator: " ").map(String.init)
      }
      links.append(Link(target: target, relations: relations))
    }
    return links
  }
}
