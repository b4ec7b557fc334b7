/// What the command line asks for.
struct Options {
  /// As many as suit where the flock is shown, if nil.
  var boids: Int?
  var frames: Int?
  var seed: UInt64 = 1
  var size = (width: 1280, height: 720)
  var pictureFolder: String?
  var wantsHelp = false

  static let help = """
    Simulates a flock of birds and shows it in the terminal.

    usage: flock [options]
      --boids N    how many boids, from 1 to 4,000,000; by default, as many as can be
                   distinguished in a terminal, and 100,000 for anything else
      --frames N   stop after N frames; by default, a terminal shows the flock until
                   Control-C, and anything else gets 100 frames and the last one as text
      --seed N     another number gives another flock, the same number the same one
      --png DIR    write each frame as a picture into a folder, which is made if it is missing
      --size WxH   the size of these pictures in pixels; 1280x720 by default
      --help       show this

    To make a film of the pictures, for example:
      ffmpeg -framerate 30 -i DIR/frame-%05d.png -pix_fmt yuv420p flock.mp4

    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--help", "-h": wantsHelp = true
      case "--boids": boids = try Options.number(&rest, name, 1...4_000_000)
      case "--frames": frames = try Options.number(&rest, name, 1...1_000_000)
      case "--seed": seed = UInt64(try Options.number(&rest, name, 0...Int.max))
      case "--size": size = try Options.size(&rest)
      case "--png": pictureFolder = try Options.value(&rest, name)
      default: throw UsageError("there is no option '\(name)'")
      }
    }
  }

  private static func value(
    _ rest: inout ArraySlice<String>, _ name: String
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw UsageError("\(name) needs a value")
    }
    return value
  }

  private static func number(
    _ rest: inout ArraySlice<String>, _ name: String, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    let text = try value(&rest, name)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(name) is '\(text)', but must be a number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return number
  }

  private static func size(
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> (width: Int, height: Int) {
    let text = try value(&rest, "--size")
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.count == 2, numbers.allSatisfy({ (16...8192).contains($0) }) else {
      throw UsageError(
        "--size is '\(text)', but must be a size like 1280x720, from 16 to 8192 each")
    }
    return (numbers[0], numbers[1])
  }
}

struct UsageError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
