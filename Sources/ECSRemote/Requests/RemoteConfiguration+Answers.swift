import ECSRecipes
import Foundation

extension RemoteConfiguration {
  /// The query of a call: what it says goes before the configuration.
  func query(_ parameters: JSONObject) -> JSONObject { self.parameters().overlaid(by: parameters) }

  /// The most bytes that are kept of a refusal: entities have it as long as they have failed.
  static let largestRefusal = 64 << 10

  /// The error that an answer without success means.
  func refusal(_ response: HTTPResponse) -> RemoteError {
    let body = response.body.prefix(RemoteConfiguration.largestRefusal)
    let data = body.count < response.body.count ? nil : try? JSONValue(data: body)
    return .http(
      status: response.status, problem: data.flatMap(problem), body: Data(body))
  }

  /// The longest that a server may ask to wait.
  static let longestWait = Duration.seconds(3600)

  /// The forms of dates in fields: today's, and the two that HTTP had before.
  private static let dateFormats = [
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
  ]

  /// How long the server asks to wait, within bounds.
  func retryAfter(_ response: HTTPResponse) -> Duration? {
    guard let text = response.headers.values(of: "Retry-After").first else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // What does not fit is longer than any wait.
      return text.isEmpty ? nil : min(.seconds(Int(text) ?? .max), RemoteConfiguration.longestWait)
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    let date = RemoteConfiguration.dateFormats.lazy.compactMap { form in
      format.dateFormat = form
      return format.date(from: text)
    }.first
    guard let date else { return nil }
    let seconds = date.timeIntervalSince(self.date())
    let limit = RemoteConfiguration.longestWait / .seconds(1)
    return seconds < limit ? .seconds(max(0, seconds)) : RemoteConfiguration.longestWait
  }
}
