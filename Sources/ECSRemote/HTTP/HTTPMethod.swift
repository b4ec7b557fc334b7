/// A method: the operation that a request asks for.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable {
  /// The name, as it is sent.
  public let rawValue: String

  /// Makes a method of any name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Asks for what is at a URL.
  public static let get = HTTPMethod(rawValue: "GET")

  /// Asks for the header only.
  public static let head = HTTPMethod(rawValue: "HEAD")

  /// Hands something over, such as to make something new.
  public static let post = HTTPMethod(rawValue: "POST")

  /// Puts something in a place, as a whole.
  public static let put = HTTPMethod(rawValue: "PUT")

  /// Changes a part of what is there.
  public static let patch = HTTPMethod(rawValue: "PATCH")

  /// Takes away what is there.
  public static let delete = HTTPMethod(rawValue: "DELETE")

  /// Whether doing it twice is the same as doing it once: true for GET, HEAD, OPTIONS, PUT, DELETE.
  public var isIdempotent: Bool {
    ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(rawValue)
  }
}

extension HTTPMethod: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
