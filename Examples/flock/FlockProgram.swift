import ECS
import ExampleSupport
import Foundation
import Synchronization

@main
enum FlockProgram {
  static func main() {
    // A reader that goes away ends the program when it is written to; see `OutputFile`.
    signal(SIGPIPE, SIG_IGN)
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp { return try OutputFile.show(Options.help) }
      try run(options)
    } catch let error as UsageError {
      fail("\(error.message); --help lists the options", EX_USAGE)
    } catch let failure as Failure {
      fail(failure.message, failure.exitCode)
    } catch {
      fail(reason(of: error), EX_SOFTWARE)
    }
  }

  private static func run(_ options: Options) throws {
    let album = try options.pictureFolder.map { try Album(folder: $0, size: options.size) }
    let isShown = FullScreen.isPresent && album == nil
    let flock = Flock(
      boidCount: options.boids ?? (isShown ? boids(in: FullScreen.size) : 100_000),
      seed: options.seed)
    let alignment = flock.alignment
    var lines =
      isShown
      ? onScreen(flock, options.frames ?? .max)
      : try onPaper(flock, options.frames ?? 100, album)
    lines.append(
      String(format: "alignment of neighbors %.2f, %.2f at first", flock.alignment, alignment))
    lines.append("state \(String(flock.fingerprint, radix: 16))")
    try OutputFile.show(lines.map { $0 + "\n" }.joined())
  }

  /// One boid for some pixels: the more there are, the less of a flock is to be seen.
  private static func boids(in size: (columns: Int, rows: Int)) -> Int {
    max(300, size.columns * size.rows / 3)
  }

  private static func onScreen(_ flock: Flock, _ frames: Int) -> [String] {
    let screen = FullScreen(takesControlKeys: false)
    let interruption = Interruption()
    Signals.on(SIGINT) { interruption.isAsked.store(true, ordering: .relaxed) }
    var picture = Picture(width: 0, height: 0)
    var meter = FrameMeter(boids: flock.boids.count)
    while meter.frames < frames, !interruption.isAsked.load(ordering: .relaxed) {
      let size = FullScreen.size
      if (size.columns, max(2, (size.rows - 1) * 2)) != (picture.width, picture.height) {
        picture = Picture(width: size.columns, height: max(2, (size.rows - 1) * 2))
        screen.write("\u{1B}[2J")
      }
      let start = ContinuousClock.now
      meter.measure { flock.step() }
      picture.expose(flock)
      screen.write(Terminal.drawing(of: picture, status: "\(meter.shown); Control-C ends it"))
      pace(since: start)
    }
    screen.stop()
    return [meter.shown]
  }

  /// Waits until it is time for another frame: no screen shows more than sixty in a second.
  private static func pace(since start: ContinuousClock.Instant) {
    let rest = Duration.milliseconds(16) - (.now - start)
    if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
  }

  private static func onPaper(
    _ flock: Flock, _ frames: Int, _ album: consuming Album?
  ) throws -> [String] {
    var picture = Picture(width: 80, height: 23)
    var meter = FrameMeter(boids: flock.boids.count)
    while meter.frames < frames {
      meter.measure { flock.step() }
      picture.expose(flock)
      try album?.add(flock)
    }
    return [Terminal.plainText(picture), meter.simulated]
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    Cleanup.runAll()
    try? FileHandle.standardError.write(contentsOf: Data("flock: \(message)\n".utf8))
    exit(status)
  }
}

/// Whether Control-C was pressed.
private final class Interruption: Sendable {
  let isAsked = Atomic(false)
}
