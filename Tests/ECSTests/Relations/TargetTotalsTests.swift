import ECS
import ECSTestSupport
import Synchronization
import Testing

private enum LineOf: ToOneRelation {}
private enum OrderedBy: ToOneRelation {}
private enum LabeledWith: Relation {}
private enum Within: ToOneRelation {}

private struct Line: Component { var cents: Int }
private struct Named: Component { var text: String }
private struct Customer: Component {}
private struct Hidden: Component {}
private struct Failure: Error {}

@Suite(.noHangs) struct TargetTotalsTests {
  private static func line(_ context: Context, _ cents: Int, of order: Entity) -> Entity {
    context.createEntity(with: Line(cents: cents)).relate(LineOf.self, to: order)
  }

  @Test func `sums follow values and links`() {
    let context = Context()
    let (order, other) = (context.createEntity(), context.createEntity())
    let line = Self.line(context, 3, of: order)
    let sums = context.sum(of: \Line.cents, byTarget: LineOf.self)
    expectTrue(
      sums[order] == 3 && sums[other] == nil && sums.total == 3 && sums.component == Line.cid)
    _ = Self.line(context, 4, of: order)
    line.set(Line(cents: 5))
    expectTrue(sums[order] == 9 && sums.count(for: order) == 2 && sums.keyCount == 1)
    line.relate(LineOf.self, to: other)
    expectTrue(sums[order] == 4 && sums[other] == 5 && sums.total == 9)
    line.unrelate(LineOf.self)
    expectTrue(sums[other] == nil && sums.count == 1)
    other.sources(LineOf.self).insert(line)
    line.remove(Line.self)
    expectNil(sums[other])
    line.set(Line(cents: 6))
    order.destroy()
    expectTrue(sums[order] == nil && sums.total == 6)
    line.destroy()
    expectTrue(sums.total == nil && sums.keyCount == 0)
  }

  @Test func `each of several targets counts an entity`() {
    let context = Context()
    let tags = context.createEntities(3)
    let counts = context.count(of: Line.self, byTarget: LabeledWith.self, where: { $0.cents > 1 })
    let extremes = context.extremes(of: \Line.cents, byTarget: LabeledWith.self)
    let line = context.createEntity(with: Line(cents: 2))
    for tag in tags.prefix(2) { line.relate(LabeledWith.self, to: tag) }
    context.createEntity(with: Line(cents: 1)).relate(LabeledWith.self, to: tags[0])
    expectTrue(counts[tags[0]] == 1 && counts[tags[1]] == 1 && counts[tags[2]] == nil)
    expectTrue(counts.total == 2 && extremes[tags[0]] == 1...2 && extremes.count == 3)
    line.set(Line(cents: 0))
    expectTrue(counts.total == nil && extremes[tags[0]] == 0...1 && extremes[tags[1]] == 0...0)
    line.unrelate(LabeledWith.self, from: tags[0])
    expectEqual(extremes[tags[0]], 1...1)
  }

  @Test func `relations lead on from targets`() {
    let context = Context()
    let (ada, ben) = (context.createEntity(), context.createEntity())
    let order = context.createEntity()
    _ = (Self.line(context, 3, of: order), Self.line(context, 4, of: order))
    let turnover = context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
    expectNil(turnover.total)
    order.relate(OrderedBy.self, to: ada)
    expectTrue(turnover[ada] == 7 && turnover[order] == nil)
    order.relate(OrderedBy.self, to: ben)
    expectTrue(turnover[ada] == nil && turnover[ben] == 7)
    order.unrelate(OrderedBy.self)
    expectEqual(turnover.keyCount, 0)
    order.relate(OrderedBy.self, to: ada)
    order.destroy()
    expectNil(turnover.total)
  }

  @Test func `a relation may lead on twice`() {
    let context = Context()
    let average = context.average(
      of: { (line: Line) in Double(line.cents) }, byTarget: Within.self, Within.self)
    let sum = context.sum(
      of: { (line: Line) in Double(line.cents) / 4 }, byTarget: Within.self, Within.self)
    let (top, middle) = (context.createEntity(), context.createEntity())
    for cents in 1...2 {
      context.createEntity(with: Line(cents: cents)).relate(Within.self, to: middle)
    }
    middle.relate(Within.self, to: top)
    expectTrue(average[top] == 1.5 && sum[top] == 0.75)
    middle.relate(Within.self, to: middle)
    expectTrue(average[top] == nil && average[middle] == 1.5)
  }

  @Test func `entities of a group count while they are in it`() {
    let context = Context()
    let group = context.group(Matcher(all: [Line.cid], none: [Hidden.cid]))
    let highest = context.aggregate(
      of: \Line.cents, byTarget: LineOf.self, in: group, combining: max)
    let order = context.createEntity()
    let line = Self.line(context, 3, of: order)
    line.set(Hidden())
    expectNil(highest[order])
    line.relate(LineOf.self, to: context.createEntity()).relate(LineOf.self, to: order)
    expectNil(highest.total)
    line.remove(Hidden.self)
    expectEqual(highest[order], 3)
  }

  @Test func `transactions see them, and take them back`() {
    let context = Context()
    let (ada, order) = (context.createEntity(), context.createEntity())
    order.relate(OrderedBy.self, to: ada)
    let line = Self.line(context, 3, of: order)
    let turnover = context.sum(of: \Line.cents, byTarget: LineOf.self, OrderedBy.self)
    var late: Aggregate<Entity, Int>?
    try? context.transaction {
      line.set(Line(cents: 5))
      _ = Self.line(context, 6, of: order)
      expectEqual(turnover[ada], 11)
      late = context.sum(of: \Line.cents, byTarget: LineOf.self)
      ada.destroy()
      expectTrue(turnover.total == nil && late?[order] == 11)
      line.destroy()
      order.relate(OrderedBy.self, to: context.createEntity())
      expectEqual(turnover.total, 6)
      throw Failure()
    }
    expectTrue(turnover[ada] == 3 && turnover.count == 1 && turnover.keyCount == 1)
    expectTrue(late?[order] == 3 && late?.total == 3)
  }

  @Test func `links that wait in an iteration count when it ends`() {
    let context = Context()
    let order = context.createEntity()
    let sums = context.sum(of: \Line.cents, byTarget: LineOf.self)
    let line = context.createEntity(with: Line(cents: 3))
    context.withEach { (entity, line: inout Line) in
      line.cents += 1
      entity.relate(LineOf.self, to: order)
      expectNil(sums.total)
    }
    expectTrue(sums[order] == 4 && line.isAlive)
  }

  @Test func `totals that begin inside of an iteration have what it changes when it ends`() {
    let context = Context()
    let order = context.createEntity()
    for number in 1...3 {
      context.createEntity(with: Named(text: "\(number)")).relate(LineOf.self, to: order)
    }
    var totals: [Aggregate<Entity, Int>] = []
    context.withEach { (entity, named: inout Named) in
      if totals.isEmpty {
        entity.set(Named(text: "waits"))
        totals.append(
          context.sum(of: { (named: Named) in named.text.count }, byTarget: LineOf.self))
        expectEqual(totals[0][order], 2, "all but the one at hand")
      }
      named.text += "0"
    }
    let counted = context.group(Named.matcher).reduce(0) {
      $0 + ($1.get(Named.self)?.text.count ?? 0)
    }
    expectEqual(totals[0][order], counted)
    context.withChunks { (_, named: inout MutableSpan<Named>) in
      totals.append(context.sum(of: { (named: Named) in named.text.count }, byTarget: LineOf.self))
      for index in named.indices { named[index].text = "1234" }
    }
    expectEqual(totals.map { $0[order] }, [12, 12])
    expectEqual(context.statistics.indexes, 2)
    totals = []
    expectEqual(context.statistics.indexes, 0)
  }

  @Test func `a view that is not observed is put in order once for many changes`() {
    let context = Context()
    let customers = context.createEntities(100, with: Customer())
    let lines = context.createEntities(from: 0..<1000) { number in Line(cents: number) }
    for (number, line) in lines.enumerated() {
      line.relate(LineOf.self, to: customers[number % 100])
    }
    let sums = context.sum(of: \Line.cents, byTarget: LineOf.self)
    let view = context.group(Customer.matcher).sorted(by: sums, .descending).start()
    expectEqual(view.first, customers[99])
    context.perform {
      for line in lines { line.update(Line.self) { $0.cents = -$0.cents } }
      expectEqual(view.first, customers[0])
    }
    context.withEach { (_, line: inout Line) in line.cents = -line.cents }
    expectEqual(Array(view), customers.reversed())
  }

  @Test func `observers run once for each outermost change, and not for what is taken back`() {
    let context = Context()
    let order = context.createEntity()
    let line = Self.line(context, 3, of: order)
    let told = Mutex<[Int?]>([])
    let subscription = context.sum(of: \Line.cents, byTarget: LineOf.self)
      .observe(initial: false) { sums in told.withLock { $0.append(sums[order]) } }
    context.perform {
      line.set(Line(cents: 4))
      _ = Self.line(context, 5, of: order)
    }
    try? context.transaction {
      line.destroy()
      throw Failure()
    }
    line.unrelate(LineOf.self)
    expectTrue(told.withLock { $0 } == [9, 5] && subscription.isActive)
  }

  @Test func `views are sorted and filtered by them`() {
    let context = Context()
    let customers = context.createEntities(4, with: Customer())
    let turnover = context.sum(of: \Line.cents, byTarget: OrderedBy.self)
    let group = context.group(Customer.matcher)
    let best = group.sorted(by: turnover, .descending).limited(to: 2)
    let low = group.filtered(by: turnover) { ($0 ?? 0) < 5 }.start()
    let told = Mutex<[[Entity]]>([])
    let subscription = best.observe(initial: false) { change in
      told.withLock { $0.append(Array(change.view)) }
    }
    func order(_ cents: Int, by customer: Int) -> Entity {
      context.createEntity(with: Line(cents: cents))
        .relate(OrderedBy.self, to: customers[customer])
    }
    let first = order(3, by: 2)
    expectTrue(Array(best) == [customers[2], customers[0]] && low.count == 4)
    _ = order(7, by: 3)
    expectEqual(Array(best), [customers[3], customers[2]])
    expectEqual(Array(low), [customers[0], customers[1], customers[2]])
    first.set(Line(cents: 4))
    try? context.transaction {
      first.set(Line(cents: 9))
      expectTrue(best.first == customers[2] && low.count == 2)
      throw Failure()
    }
    expectTrue(best.first == customers[3] && low.count == 3)
    // The last one is that the turnover of an entity in the view has changed.
    expectTrue(told.withLock { $0.count } == 3 && subscription.isActive)
    expectEqual(Array(group.sorted(by: turnover)), [2, 3, 0, 1].map { customers[$0] })
  }

  @Test func `views are sorted by aggregates whose closures give entities as keys`() {
    struct Score: Component {
      var of: Entity
      var points: Int
    }
    let context = Context()
    let players = context.createEntities(2, with: Customer())
    let ranking = Mutex<LiveView?>(nil)
    try? context.transaction {
      // It is filled anew when this is taken back.
      let points = context.sum(of: \Score.points, by: \Score.of)
      ranking.withLock {
        $0 = context.group(Customer.matcher).sorted(by: points, .descending).start()
      }
      context.createEntity(with: Score(of: players[1], points: 3))
      expectEqual(ranking.withLock { $0?.first } as Entity?, players[1])
      throw Failure()
    }
    expectEqual(ranking.withLock { $0.map(Array.init) } as [Entity]?, Array(players))
    context.createEntity(with: Score(of: players[1], points: 3))
    expectEqual(ranking.withLock { $0?.first } as Entity?, players[1])
  }

  @Test func `they are released with their views, also when the context has ended`() {
    weak var sums: Aggregate<Entity, Int>?
    weak var others: Aggregate<Entity, Int>?
    do {
      let context = Context()
      let (one, other) = (
        context.sum(of: \Line.cents, byTarget: LineOf.self),
        context.sum(of: \Line.cents, byTarget: LineOf.self, Within.self)
      )
      do {
        let view = context.group(Customer.matcher).sorted(by: one).start()
        sums = one
        expectTrue(view.isEmpty)
      }
      others = other
      let kept = context.group(Customer.matcher).sorted(by: other).start()
      expectTrue(kept.isEmpty)
    }
    expectTrue(sums == nil && others == nil)
  }

  @Test func `totals that outlive their context are empty`() {
    var context: Context? = Context()
    let sums = context?.sum(of: \Line.cents, byTarget: LineOf.self)
    var view: LiveView?
    if let context, let sums {
      _ = Self.line(context, 3, of: context.createEntity())
      view = context.group(Customer.matcher).sorted(by: sums).start()
    }
    expectEqual(sums?.total, 3)
    context = nil
    expectTrue(sums?.total == nil && sums?.keyCount == 0 && view?.isEmpty == true)
    let next = Context()
    _ = Self.line(next, 3, of: next.createEntity())
    expectNil(sums?.total)
  }

  @Test func `a view by an aggregate of another context stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (context, other) = (Context(), Context())
      let sums = other.sum(of: \Line.cents, byTarget: LineOf.self)
      _ = context.group(Customer.matcher).sorted(by: sums)
      _ = other.entities()
    }
    expectTrue(stopped(result, saying: "belongs to another context"))
  }
}
