#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Processes that are killed while a loop awaits, waits for deadlines and saves.
  @Suite(.noHangs) struct LoopKillTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `what was saved is neither paid for nor due again, and nothing is forgotten`()
      async throws
    {
      let path = folder.url.path
      var random = SplitMix64(seed: 7)
      var before: [Int: Desk.State] = [:]
      for run in 1...Torment.kills {
        let delay = random.next() % 60_000
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, run = run as Int, delay = delay as UInt64] in
          try await Desk(path, run).workUntilKilled(after: delay)
        }
        before = try check(run, since: before)
      }
      await #expect(processExitsWith: .success) {
        [path = path as String, run = Torment.kills + 1 as Int] in
        try await Desk(path, run).workUntilDone()
      }
      let states = try check(Torment.kills + 1, since: before)
      expectTrue(states.values.allSatisfy { $0.isPaid && !$0.isWaiting })
      let lines = try Desk.log(in: path)
      let paid = lines.filter { $0.event == .paid }
      expectTrue(Set(paid.map(\.order)).isSuperset(of: states.keys))
      let again = paid.count - Set(paid.map(\.order)).count
      let due = states.values.count { $0.isOverdue }
      expectTrue(due > 0 && due < states.count, "the test needs both")
      print(
        "\(Torment.kills) processes were killed; of \(states.count) orders, \(due) were overdue, and \(again) asked for again."
      )
    }

    /// Compares what a run has done with what the file had before it, and what it has now.
    private func check(_ run: Int, since before: [Int: Desk.State]) throws -> [Int: Desk.State] {
      let path = folder.url.path
      let lines = try Desk.log(in: path).filter { $0.run == run }
      expectEqual(Set(lines).count, lines.count, "twice in one run")
      let now = try Desk.states(in: path)
      for line in lines {
        switch line.event {
        case .paid: expectNotEqual(before[line.order]?.isPaid, true, "\(line)")
        case .overdue: expectNotEqual(before[line.order]?.isWaiting, false, "\(line)")
        }
      }
      for (order, state) in before {
        let found = try #require(now[order])
        expectTrue(found.isPaid || !state.isPaid)
        expectTrue(found.isOverdue || !state.isOverdue)
        expectTrue(!found.isWaiting || state.isWaiting)
      }
      for state in now.values {
        // A deadline is gone when its component is there, or it was taken back with the payment.
        expectFalse(state.isWaiting && state.isOverdue)
        expectTrue(state.isWaiting || state.isOverdue || state.isPaid)
        expectFalse(state.isWaiting && state.isPaid)
      }
      return now
    }
  }

  private struct Order: Component { var id = 0 }
  private struct Receipt: Component { var run = 0 }
  private struct Overdue: Component { var run = 0 }

  /// A program that pays for orders, and notes which were not paid for in time.
  private struct Desk {
    let folder: String
    let run: Int

    init(_ folder: String, _ run: Int) { (self.folder, self.run) = (folder, run) }

    /// What the file has of an order.
    struct State: Equatable {
      var (isPaid, isWaiting, isOverdue) = (false, false, false)
    }

    /// What happened outside of the file.
    struct Line: Hashable {
      enum Event: String { case paid, overdue }
      var event: Event
      var run: Int
      var order: Int
    }

    static func log(in folder: String) throws -> [Line] {
      let text = try String(contentsOf: logFile(folder), encoding: .utf8)
      // What was written at last may be a part.
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap {
        let parts = $0.split(separator: " ")
        guard parts.count == 3, let event = Line.Event(rawValue: String(parts[0])),
          let run = Int(parts[1]), let order = Int(parts[2])
        else { return nil }
        return Line(event: event, run: run, order: order)
      }
    }

    static func states(in folder: String) throws -> [Int: State] {
      let store = try store(in: folder)
      let session = try store.session()
      var states: [Int: State] = [:]
      for entity in session.context.group(Order.matcher) {
        guard let id = entity.get(Order.self)?.id else { continue }
        states[id] = State(
          isPaid: entity.has(Receipt.self), isWaiting: entity.has(Deadline<Overdue>.self),
          isOverdue: entity.has(Overdue.self))
      }
      try expectEqual(store.integrity(), "ok")
      try store.close()
      return states
    }

    private static func logFile(_ folder: String) -> URL {
      URL(fileURLWithPath: folder).appendingPathComponent("log")
    }

    private static func store(in folder: String) throws -> Store {
      let orders = try Table("purchase", key: \Order.id) {
        Fields(of: Order()) { Field(\.id, at: "id") }
        Fields(of: Deadline(Overdue(), at: .zero)) {
          Field(\.nanoseconds, at: "due")
          Field(\.value.run, at: "made")
        }
        Fields(of: Overdue()) { Field(\.run, at: "overdue") }
        Fields(of: Receipt()) { Field(\.run, at: "receipt") }
      }
      let file = URL(fileURLWithPath: folder).appendingPathComponent("desk.sqlite")
      return try Store(at: .file(file), schema: Schema { orders })
    }

    func workUntilKilled(after delay: UInt64) async throws {
      let work = try begin()
      work.makeOrders()
      Killing.begin(after: delay)
      try await Task.sleep(for: .seconds(600))
    }

    func workUntilDone() async throws {
      let work = try begin()
      let isOpen = work.context.group(
        Matcher(all: [Order.cid], none: [Receipt.cid]))
      let waiting = work.context.group(Deadline<Overdue>.matcher)
      while !isOpen.isEmpty || !waiting.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      await work.loop.settled()
      work.loop.cancel()
      try work.session.save()
      try work.store.close()
    }

    private func begin() throws -> Work {
      let file = Desk.logFile(folder)
      if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
      let log = try FileHandle(forWritingTo: file)
      try log.seekToEnd()
      return try Work(Desk.store(in: folder), run, log)
    }
  }

  /// The loop of one process.
  private struct Work {
    let store: Store
    let session: StoreSession
    let loop: ReactiveLoop
    let run: Int
    var context: Context { session.context }

    init(_ store: Store, _ run: Int, _ log: FileHandle) throws {
      (self.store, self.run) = (store, run)
      session = try store.session()
      loop = ReactiveLoop(
        ctx: session.context, queue: DispatchQueue(label: "desk"), systems: [])
      let note: @Sendable (Desk.Line.Event, Entity) throws -> Void = { event, entity in
        guard let id = entity.get(Order.self)?.id else { return }
        try log.write(contentsOf: Data("\(event) \(run) \(id)\n".utf8))
      }
      let unpaid = Matcher(all: [Order.cid], none: [Receipt.cid])
      let collector = context.collector(for: unpaid, type: .added)
      collector.collect(EntitySet(context.group(unpaid)))
      loop.onAsync(collector, name: "Pay", limit: 8) { order in
        try note(.paid, order)
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...40)))
        return {
          order.set(Receipt(run: run))
          order.remove(Deadline<Overdue>.self)
        }
      }
      loop.on(Overdue.matcher, .addedOrUpdated, name: "Note") { orders in
        for order in orders { try note(.overdue, order) }
      }
      loop.addDeadlines(of: Overdue.self)
      loop.add(SavingSystem(session))
    }

    /// Makes orders that are due soon: some of them are paid for before.
    func makeOrders() {
      let now = Duration.seconds(Date().timeIntervalSince1970)
      for number in 0..<20 {
        // Some are paid for in time on the slowest of machines.
        let due = now + (number % 4 == 3 ? .seconds(600) : .milliseconds(20 + number * 50))
        context.createEntity(
          with: Order(id: run * 1000 + number), Deadline(Overdue(run: run), at: due))
      }
    }
  }
#endif
