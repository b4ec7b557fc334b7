#if Inspector
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSSnapshots
  import ECSTestSupport
  import Foundation
  import Testing

  /// The page in a real browser: all that it shows, edits and follows, its timelines, and attacks.
  ///
  /// Without Python, Chromium and its driver there is nothing to try.
  @Suite(.noHangs, .enabled(if: SmokeTest.canRun)) struct BrowserTests {
    @Test func `a browser shows, edits, follows and travels, and is refused elsewhere`()
      async throws
    {
      let schema = try recordedSchema()
      let context = Context(name: "game")
      let flight = FlightRecorder(context)
      let recorder = try RunRecorder(context, schema)
      let log = EventLog([context])
      let owner = context.createEntity(with: Name(text: "<b>owner</b>\u{202e}"))
      for number in 0..<300 {
        let entity = context.createEntity(with: Position(x: Double(number)))
        if number.isMultiple(of: 3) { entity.set(Name(text: "\(number)")) }
        if number < 250 { entity.relate(OwnedBy.self, to: owner) }
      }
      context.createEntity(with: Settings())
      let names = context.index { (name: Name) in name.text.count }
      let mover = context.createEntity(with: Name(text: "mover"))
      let loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "game"), systems: [], name: "game")
      loop.setLogger(log, named: "log")
      loop.on(Name.matcher, name: "Move") { entities in
        mover.set(Position(x: Double(entities.count)))
      }
      for number in 0..<20 {
        context.perform("rename") {
          _ = mover.set(Name(text: String(repeating: "m", count: number)))
        }
        await loop.settled()
      }
      let recording = try recorder.recording()
      let inspector = try await Inspector(readOnly: false, allowInRelease: true) {
        $0.add(context, schema)
        $0.add(loop)
        $0.add(flight, as: "flight")
        $0.add(recording, schema, as: "run", loops: [:])
        $0.add(log)
      }
      let result = await SmokeTest.run(inspector.url)
      await inspector.stop()
      expectEqual(result.status, 0, "\(result.output)")
      // Each part that needs something finds it.
      expectFalse(result.output.contains("not tried"), "\(result.output)")
      withExtendedLifetime((names, flight, recorder)) {}
    }
  }

  /// The program that drives a browser.
  private enum SmokeTest {
    /// Whether there is what it needs.
    static let canRun = ["python3", "chromium", "chromedriver"].allSatisfy { name in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
      }
    }

    static func run(_ url: URL) async -> (status: Int32, output: String) {
      let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL
      let script = top.appendingPathComponent("Scripts/smoke/inspector").path
      return await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: output(of: "'\(script)' --at '\(url)' 2>&1"))
        }
      }
    }

    /// Runs a command of the shell.
    // The address sanitizer takes what Foundation's Process does with many open files for a fault.
    private static func output(of command: String) -> (status: Int32, output: String) {
      guard let stream = unsafe popen(command, "r") else { return (-1, "\(errno)") }
      var output: [UInt8] = []
      while case let byte = unsafe fgetc(stream), byte >= 0 { output.append(UInt8(byte)) }
      return unsafe (pclose(stream), String(decoding: output, as: UTF8.self))
    }
  }
#endif
