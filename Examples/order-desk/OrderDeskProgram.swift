import ECS
import ECSCluster
import ExampleSupport
import Foundation

/// Orders of customers, on as many machines as are started.
@main
enum OrderDeskProgram {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--help"] {
      print(Options.usage)
      return
    }
    guard let options = Options(arguments) else { fail(Options.usage, EX_USAGE) }
    do {
      switch options.command {
      case "produce": try await produce(options)
      case "work": try await work(options)
      case "watch": try await watch(options)
      case "status": try await showStatus(options)
      default: fail(Options.usage, EX_USAGE)
      }
    } catch let error as UsageError {
      fail("order-desk: \(error)", EX_USAGE)
    } catch {
      fail("order-desk: \(error)", EX_UNAVAILABLE)
    }
  }

  // MARK: Producing

  /// Sends orders; a producer with a name can be ended and started again.
  private static func produce(_ options: Options) async throws {
    let cluster = try makeCluster(options)
    let source = OrderSource(options)
    let sender = cluster.makeSender(producer: source.producer)
    let observation = sender.observe { event in
      switch event {
      case .failed(let error): warn("order-desk: \(error)")
      case .lost: warn("order-desk: \(event)")
      case .recovered: warn("order-desk: It works again.")
      }
    }
    let start = ContinuousClock.now
    for first in stride(from: 0, to: source.orders, by: 20_000) {
      let orders = (first..<min(first + 20_000, source.orders)).map { source[$0] }
      try await sender.send(contentsOf: orders, firstNumber: UInt64(first + 1))
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    let rate = Int(Double(options.orders) / seconds)
    say("\(options.orders) orders in \(seconds.formatted) s, \(rate)/s")
    sender.close()
    withExtendedLifetime(observation) {}
  }

  // MARK: Working

  private static func work(_ options: Options) async throws {
    let cluster = try makeCluster(options)
    let context = Context(name: "orders")
    let inspector: (any Sendable)? = options.isInspected ? try await inspect(context) : nil
    let worker = cluster.makeWorker(in: context, by: context.makeAccounts()) { customer in
      Account(customer: customer)
    } applying: { order, account in
      let order = order.value
      // What a cluster promises is that each comes behind the one before it. One that comes again
      // is set aside. Behind a gap, as a broker leaves that has lost something, the desk goes on.
      let misplaced = MisplacedOrder(order: order, last: account.get(Account.self)?.last ?? 0)
      guard order.number > misplaced.last else { throw misplaced }
      if order.number > misplaced.last + 1 { say("\(misplaced)") }
      account.update(Account.self) {
        $0.last = order.number
        $0.orders += 1
        $0.cents += order.cents
      }
    }
    let observation = worker.observe { event in
      switch event {
      case .snapshot: break
      default: say("\(worker.id.prefix(4)): \(event)")
      }
    }
    let running = Task { try await worker.run() }
    onEnd { running.cancel() }
    try await running.value
    withExtendedLifetime((observation, inspector)) {}
  }

  // MARK: Watching

  private static func watch(_ options: Options) async throws {
    let cluster = try makeCluster(options)
    let context = Context(name: "orders")
    let accounts = context.makeAccounts()
    let replica = cluster.makeReplica(in: context, by: accounts)
    let observation = replica.observe { event in
      switch event {
      case .failed(let error): say("\(error)")
      case .lost(let loss): say("\(loss)")
      case .restored, .recovered: break
      }
    }
    let running = Task { try await replica.run() }
    onEnd { running.cancel() }
    let start = ContinuousClock.now
    var last = 0
    while !running.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      let totals = Totals(context)
      if totals.orders != last || options.until == nil {
        let seconds = Int(start.duration(to: .now) / .seconds(1))
        say(
          "\(seconds) s: \(totals.customers) customers, \(totals.orders) orders, \(totals.cents / 100) €"
        )
      }
      last = totals.orders
      if let until = options.until, totals.orders >= until {
        guard totals.wrong.isEmpty, totals.orders == until else {
          fail("wrong: \(totals.orders) orders, \(totals.wrong.prefix(5))", EX_SOFTWARE)
        }
        say("each of \(totals.customers) customers has each order once")
        running.cancel()
      }
    }
    try await running.value
    withExtendedLifetime(observation) {}
  }

  private static func showStatus(_ options: Options) async throws {
    let statuses = try await makeCluster(options).statistics()
    for status in statuses {
      say(
        "\(status.partition): owner \(status.owner?.prefix(4) ?? "none"), epoch \(status.epoch), \(status.sent) sent, \(status.lag) wait, \(status.deadLetters) set aside"
      )
    }
  }
}

/// What all customers have together.
private struct Totals {
  var customers = 0
  var orders = 0
  var cents = 0

  /// The customers that do not have each of their orders once.
  var wrong: [Int] = []

  init(_ context: Context) {
    for entity in context.group(Account.matcher) {
      guard let account = entity.get(Account.self) else { continue }
      customers += 1
      orders += account.orders
      cents += account.cents
      if account.last != account.orders { wrong.append(account.customer) }
    }
  }
}

private func fail(_ message: String, _ status: Int32) -> Never {
  warn(message)
  exit(status)
}

private func warn(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
}

func say(_ line: String) {
  try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

/// Calls a closure when the program is asked to end.
private func onEnd(_ body: @escaping @Sendable () -> Void) {
  for number in [SIGINT, SIGTERM] { Signals.on(number, body) }
}

extension Double {
  fileprivate var formatted: String { String(format: "%.1f", self) }
}
