import ExampleSupport
import Foundation

/// Which commits of a repository are asked for.
struct Selection {
  var since: String?
  var until: String?
  var author: String?
  var branch: String?
  var paths: [String] = []

  /// Whether it is less than all that leads to the newest commit.
  var isPart: Bool {
    since != nil || until != nil || author != nil || branch != nil || !paths.isEmpty
  }

  /// What `git log` and `git rev-list` are to be given.
  var arguments: [String] { arguments(of: branch ?? "HEAD") }

  /// The same for other commits.
  func arguments(of revisions: String) -> [String] {
    var limits: [String] = []
    if let since { limits.append("--since=\(since)") }
    if let until { limits.append("--until=\(until)") }
    if let author { limits.append("--author=\(author)") }
    return limits + [revisions, "--"] + paths
  }
}

/// A selection as Git has understood it.
struct Filter {
  let selection: Selection

  /// In seconds since January 1, 1970.
  let since: Int?
  let until: Int?

  /// In words; nil if nothing is left out.
  var description: String? {
    guard selection.isPart else { return nil }
    var parts: [String] = []
    if let since { parts.append("since \(Filter.text(since))") }
    if let until { parts.append("until \(Filter.text(until))") }
    if let author = selection.author { parts.append("by authors like '\(author)'") }
    if let branch = selection.branch { parts.append("on \(branch)") }
    if !selection.paths.isEmpty { parts.append("in \(selection.paths.joined(separator: ", "))") }
    return "Only commits " + parts.joined(separator: ", ") + "."
  }

  /// Such as `2026-01-31 17:05 UTC`.
  static func text(_ seconds: Int) -> String {
    let day = Day(seconds: seconds)
    let minutes = (seconds - day.number * 86_400) / 60
    let parts = [minutes / 60, minutes % 60].map { padded("\($0)", 2, right: true) }
    return "\(day.text) \(parts.joined(separator: ":").replacing(" ", with: "0")) UTC"
  }
}
