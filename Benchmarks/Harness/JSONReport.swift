import Foundation

/// Results as they are saved.
struct JSONReport: Codable {
  /// What the format is called, so that a file of another kind is noticed.
  var format = JSONReport.currentFormat
  var date = Date()
  var machine = Machine()
  let samples: [Sample]
  let scaling: [Sample]

  static let currentFormat = "swift-ecs benchmarks 1"

  init(_ results: Results) {
    samples = results.samples
    scaling = results.scaling
  }

  /// Saves the results.
  func write(to file: String) throws(BenchmarkError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.dateEncodingStrategy = .iso8601
    guard let json = try? encoder.encode(self) else {
      throw .cannotWrite(file: file, reason: "a result is not a number")
    }
    try TextFile.write(String(decoding: json, as: UTF8.self) + "\n", to: file)
  }

  /// Reads saved results.
  init(contentsOf file: String) throws(BenchmarkError) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let text = try TextFile.read(file)
    do {
      self = try decoder.decode(JSONReport.self, from: Foundation.Data(text.utf8))
    } catch {
      throw .cannotRead(file: file, reason: "it is not a file that --json has written")
    }
    guard format == JSONReport.currentFormat else {
      throw .cannotRead(
        file: file, reason: "its format is '\(format)', not '\(JSONReport.currentFormat)'")
    }
  }
}

/// What the results depend on beside the program.
struct Machine: Codable, Equatable {
  var processor = Machine.processorName
  var cores = ProcessInfo.processInfo.activeProcessorCount
  var system = ProcessInfo.processInfo.operatingSystemVersionString

  /// One line for the head of a table.
  var description: String { "\(processor), \(cores) cores, \(system)" }

  private static var processorName: String {
    #if os(Linux)
      let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      let model = lines.split(separator: "\n").first { $0.hasPrefix("model name") }
      if let name = model?.split(separator: ":").last {
        return name.trimmingCharacters(in: .whitespaces)
      }
    #endif
    #if arch(arm64)
      return "arm64"
    #else
      return "x86-64"
    #endif
  }
}
