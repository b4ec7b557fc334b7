import ECS
import Foundation

@main
enum FlockProgram {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp { return print(Options.help, terminator: "") }
      try run(options)
    } catch let error as UsageError {
      fail("\(error.message); --help lists the options", EX_USAGE)
    } catch {
      fail("\(error)", EX_CANTCREAT)
    }
  }

  private static func run(_ options: Options) throws {
    let album = try options.pictureFolder.map { try Album(folder: $0, size: options.size) }
    let flock = Flock(boidCount: options.boids, seed: options.seed)
    let alignment = flock.alignment
    let summary =
      if Terminal.isPresent && album == nil {
        try onScreen(flock, options.frames ?? .max)
      } else {
        try onPaper(flock, options.frames ?? 100, album)
      }
    print(summary)
    print(String(format: "alignment of neighbors %.2f, %.2f at first", flock.alignment, alignment))
    print("state \(String(flock.fingerprint, radix: 16))")
  }

  private static func onScreen(_ flock: Flock, _ frames: Int) throws -> FrameMeter {
    Terminal.start()
    defer { Terminal.stop() }
    let size = Terminal.size
    var picture = Picture(width: size.columns, height: (size.rows - 1) * 2)
    var meter = FrameMeter(boids: flock.boids.count)
    while meter.frames < frames, !Terminal.isInterrupted {
      meter.measure { flock.step() }
      picture.expose(flock)
      Terminal.draw(picture, status: "\(meter); Control-C ends it")
    }
    return meter
  }

  private static func onPaper(
    _ flock: Flock, _ frames: Int, _ album: consuming Album?
  ) throws -> FrameMeter {
    var picture = Picture(width: 80, height: 23)
    var meter = FrameMeter(boids: flock.boids.count)
    while meter.frames < frames {
      meter.measure { flock.step() }
      picture.expose(flock)
      try album?.add(flock)
    }
    print(Terminal.plainText(picture))
    return meter
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("flock: \(message)\n".utf8))
    exit(status)
  }
}

/// Counts frames and the time that the simulation takes for them; drawing is not its business.
struct FrameMeter: CustomStringConvertible {
  let boids: Int
  private(set) var frames = 0
  private var time = Duration.zero

  init(boids: Int) { self.boids = boids }

  mutating func measure(_ frame: () -> Void) {
    time += ContinuousClock().measure(frame)
    frames += 1
  }

  var description: String {
    let rate = Double(frames) / max(time / .seconds(1), 1e-9)
    return "\(boids) boids, \(frames) frames, \(String(format: "%.1f", rate)) frames per second"
  }
}
