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
    var album = try options.pictureFolder.map { try Album(folder: $0, size: options.size) }
    let isShown = Terminal.isPresent && album == nil
    let frameLimit = options.frames ?? (isShown ? .max : 100)
    let flock = Flock(boidCount: options.boids, seed: options.seed)
    let alignment = flock.alignment
    let size = Terminal.size
    var picture = Picture(width: size.columns, height: (size.rows - 1) * (isShown ? 2 : 1))
    var (frames, time) = (0, Duration.zero)
    var framesPerSecond: String {
      String(format: "%.1f", Double(frames) / max(time / .seconds(1), 1e-9))
    }

    if isShown { Terminal.start() }
    defer { if isShown { Terminal.stop() } }
    while frames < frameLimit, !Terminal.isInterrupted {
      time += ContinuousClock().measure { flock.step() }
      frames += 1
      picture.expose(flock)
      try album?.add(flock)
      if isShown {
        Terminal.draw(
          picture,
          status:
            "\(flock.boids.count) boids, \(framesPerSecond) frames per second; Control-C ends it")
      }
    }
    if isShown { Terminal.stop() } else { print(Terminal.plainText(picture)) }
    print("\(flock.boids.count) boids, \(frames) frames, \(framesPerSecond) frames per second")
    print(String(format: "alignment of neighbors %.2f, %.2f at first", flock.alignment, alignment))
    print("state \(String(flock.fingerprint, radix: 16))")
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("flock: \(message)\n".utf8))
    exit(status)
  }
}
