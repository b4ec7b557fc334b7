import ECSTestSupport
import Foundation
import Testing

/// Checks programs that use the module that is being tested.
enum SwiftCompiler {
  static let isAvailable = modules != nil && (try? run(["--version"]).status) == 0

  /// Returns what the compiler says about a program; nothing if it is content.
  static func messages(for program: String, options: [String] = []) throws -> String {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("swift-ecs-\(UUID().uuidString).swift")
    try Data(program.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let modules = try #require(modules)
    // Not -typecheck: what may use what is worked out after that.
    return try run(
      [
        "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-enable-upcoming-feature",
        "ExistentialAny",
        "-warnings-as-errors", "-I", modules, "-Xcc", "-fmodule-map-file=\(moduleMap(modules))",
        file.path,
      ] + options
    ).output
  }

  /// Where the build put the modules of this package.
  private static var modules: String? {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder = (bundle ?? Bundle.main).bundleURL
    let candidates = [folder.deletingLastPathComponent(), folder]
    return candidates.map { $0.appendingPathComponent("Modules").path }
      .first { FileManager.default.fileExists(atPath: $0 + "/ECS.swiftmodule") }
  }

  /// Where it put the description of the C module that `ECS` is built on.
  private static func moduleMap(_ modules: String) -> String {
    modules + "/../CPlatform.build/module.modulemap"
  }

  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    let output = try process.startWithOutput(withErrors: true).readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
