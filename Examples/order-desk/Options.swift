import Foundation

/// What the command line says.
struct Options {
  static let usage = """
    usage: order-desk produce [--orders N] [--customers N] [--producer NAME]
           order-desk work [--inspect]
           order-desk watch [--until N]
           order-desk status
    options: --broker redis://127.0.0.1  --partitions 64  --lease 10000 (milliseconds)
             --waiting 100000 (orders that may wait in a partition)
             --batches 1000 (batches between snapshots of a partition)
             --inspect (shows a worker's accounts in a browser: builds with '--traits Inspector')
    """

  var command = ""
  var broker = "redis://127.0.0.1"
  var partitions = 64
  var lease = 10_000
  var waiting = 100_000
  var batches = 1000
  var orders = 100_000
  var customers = 1000
  var producer: String?
  var until: Int?
  var isInspected = false

  /// Nil if the command line says nothing that can be understood.
  init?(_ arguments: [String]) {
    guard let first = arguments.first else { return nil }
    command = first
    var rest = arguments.dropFirst()
    while let name = rest.popFirst() {
      if name == "--inspect", command == "work" {
        isInspected = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      let number = Int(value).flatMap { $0 > 0 ? $0 : nil }
      switch (name, number) {
      case ("--broker", _): broker = value
      case ("--producer", _): producer = value
      case ("--partitions", let number?): partitions = number
      case ("--lease", let number?): lease = number
      case ("--waiting", let number?): waiting = number
      case ("--batches", let number?): batches = number
      case ("--orders", let number?): orders = number
      case ("--customers", let number?): customers = number
      case ("--until", let number?): until = number
      default: return nil
      }
    }
  }
}

/// What is wrong with how the program was started.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
