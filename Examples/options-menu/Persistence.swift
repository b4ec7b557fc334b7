import ECS
import ExampleSupport
import Foundation

/// The file with the values of the options, in JSON: `{"sync": true, ...}`.
struct OptionsFile {
  let url: URL

  /// The stored values.
  ///
  /// A file that cannot be understood is put aside under another name, so that it can be looked at
  /// and is not overwritten by the next save; `notice` says so. None at all is an empty one.
  ///
  /// - Throws: If the file cannot be read or not be put aside; nothing has changed then.
  func load() throws -> (values: [String: Bool], notice: String?) {
    guard FileManager.default.fileExists(atPath: url.path) else { return ([:], nil) }
    let data = try readFile(url.path)
    do {
      return (try JSONDecoder().decode([String: Bool].self, from: data), nil)
    } catch {
      let copy = unusedURL()
      try FileManager.default.moveItem(at: url, to: copy)
      return ([:], "\(url.path) was corrupt and is kept as \(copy.lastPathComponent)")
    }
  }

  /// Replaces the file in one step, so that there is always a whole one; it keeps its mode.
  func save(_ values: [String: Bool]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try makeFolder(url.deletingLastPathComponent().path)
    let output = try OutputFile(url.path)
    try output.write(encoder.encode(values))
    try output.close()
  }

  private func unusedURL() -> URL {
    let names = (1...).lazy.map { $0 == 1 ? "corrupt" : "corrupt-\($0)" }
    let urls = names.map { url.appendingPathExtension($0) }
    return urls.first { !FileManager.default.fileExists(atPath: $0.path) } ?? url
  }
}

/// Saves the options after each pass in which some changed; all of them, shown or not.
///
/// If that fails it throws, the loop's error handler tells the user, and the loop tries again.
@MainActor final class Persistence: @MainActor ReactiveSystem {
  let collector: Collector
  private let menu: Menu
  private let file: OptionsFile

  init(_ menu: Menu, _ file: OptionsFile) {
    self.menu = menu
    self.file = file
    // Not those that were added: these have their values from the file.
    collector = menu.context.collector(
      for: Matcher(all: [OptionKey.cid, Value.cid]), type: .updated)
  }

  func execute(entities: EntitySet) throws {
    var values: [String: Bool] = [:]
    collector.group.withEach { (_, key: OptionKey, value: Value) in values[key.name] = value.isOn }
    try file.save(values)
    menu.context.removeUniqueComponent(Notice.self)
    menu.context.removeUniqueComponent(SaveFailure.self)
  }
}
