import ECS
import ECSTestSupport
import Testing

private struct Score: Component { var points: Int }
private struct Name: Component { var text: String }
private struct Weight: Component { var value: Double? }

@Suite struct OrderedIndexTests {
  private let context = Context()

  private func entities(_ points: [Int]) -> [Entity] {
    points.map { context.createEntity(with: Score(points: $0)) }
  }

  private func points(_ entities: EntitySet) -> [Int] {
    entities.compactMap { $0.get(Score.self)?.points }
  }

  @Test func `Every kind of range finds its keys, in order`() {
    let index = context.orderedIndex { (score: Score) in score.points }
    _ = entities([5, 1, 3, 9, 7, 3])
    expectEqual(points(index[3..<7]), [3, 3, 5])
    expectEqual(points(index[3...7]), [3, 3, 5, 7])
    expectEqual(points(index[6...]), [7, 9])
    expectEqual(points(index[..<3]), [1])
    expectEqual(points(index[...3]), [1, 3, 3])
    expectEqual(points(index[...]), [1, 3, 3, 5, 7, 9])
    expectTrue(points(index[4..<4]).isEmpty && points(index[10...]).isEmpty)
    expectTrue(index.count(in: 3...7) == 4 && index.count(in: 8..<9) == 0)
    expectTrue(index.rank(of: 4) == 3 && index.rank(of: 0) == 0 && index.rank(of: 99) == 6)
    expectEqual(index.keys, [1, 3, 5, 7, 9])
    expectTrue(index.min == 1 && index.max == 9 && index.count == 6)
  }

  @Test func `Entities with equal keys come in the order of their creation`() {
    let index = context.orderedIndex { (score: Score) in score.points }
    let all = entities([2, 1, 2, 2])
    expectEqual(Array(index[2]), [all[0], all[2], all[3]])
    all[0].set(Score(points: 3))
    all[0].set(Score(points: 2))
    expectEqual(Array(index[2]), [all[0], all[2], all[3]])
    expectTrue(index[4].isEmpty)
  }

  @Test func `Positions and entities lead to each other`() {
    let all = entities([30, 10, 20])
    let index = context.orderedIndex { (score: Score) in score.points }
    expectTrue(index.first == all[1] && index.last == all[0])
    expectEqual((0..<4).map(index.entity(at:)), [all[1], all[2], all[0], nil])
    expectNil(index.entity(at: -1))
    expectEqual(all.map(index.position(of:)), [2, 0, 1])
    expectEqual(all.map(index.key(of:)), [30, 10, 20])
    expectEqual(Array(index.entities(at: 1..<9)), [all[2], all[0]])
    expectTrue(index.entities(at: 7..<9).isEmpty)
    let other = Context().createEntity(with: Score(points: 10))
    expectTrue(index.position(of: other) == nil && index.key(of: other) == nil)
  }

  @Test func `The nearest key is found on either side`() {
    let all = entities([10, 20, 20, 40])
    let index = context.orderedIndex { (score: Score) in score.points }
    expectTrue(index.nearest(to: 0) == all[0] && index.nearest(to: 99) == all[3])
    expectTrue(index.nearest(to: 16) == all[1] && index.nearest(to: 20) == all[1])
    expectTrue(index.nearest(to: 15) == all[0] && index.nearest(to: 31) == all[3])
    expectEqual(index.nearest(to: 30), all[1])
    for entity in all { entity.destroy() }
    expectTrue(
      index.nearest(to: 1) == nil && index.isEmpty && index.min == nil && index.last == nil)
  }

  @Test func `Texts are found by how they begin`() {
    let index = context.orderedIndex { (name: Name) in name.text }
    for text in ["Ada", "Adam", "Bea", "Ae", "A", "Ad\u{301}a", "", "Ad"] {
      context.createEntity(with: Name(text: text))
    }
    func found(_ text: String) -> [String] {
      index.prefix(text).compactMap { $0.get(Name.self)?.text }
    }
    expectEqual(found("Ad"), ["Ad", "Ada", "Adam", "Ad\u{301}a"])
    expectTrue(found("B") == ["Bea"] && found("C").isEmpty)
    expectEqual(found("").count, 8)
    expectTrue(index["Ada"].count == 1 && index["ada"].isEmpty)
  }

  @Test func `What has no key is not in the index, and can get one`() {
    let index = context.orderedIndex { (weight: Weight) in weight.value }
    let all = [2, nil, .nan, -1, .infinity].map { context.createEntity(with: Weight(value: $0)) }
    expectEqual(Array(index[...]), [all[3], all[0], all[4]])
    expectEqual(Array(index[0...]), [all[0], all[4]])
    expectTrue(index.count == 3 && index.max == .infinity && index.last == all[4])
    expectTrue(index.position(of: all[1]) == nil && index.key(of: all[2]) == nil)
    expectTrue(index.entity(at: 3) == nil && index.entities(at: 2..<5) == EntitySet([all[4]]))
    expectTrue(index[Double.nan].isEmpty && index.rank(of: .nan) == 0)
    expectNil(index.nearest(to: .nan))
    all[1].set(Weight(value: 0))
    all[0].set(Weight(value: nil))
    expectEqual(Array(index[...]), [all[3], all[1], all[4]])
    all[1].remove(Weight.self)
    expectEqual(index.count, 2)
  }

  @Test func `The ends of the key type are keys like others`() {
    let all = entities([.max, .min, 0])
    let index = context.orderedIndex { (score: Score) in score.points }
    expectEqual(Array(index[...]), [all[1], all[2], all[0]])
    expectTrue(Array(index[Int.max]) == [all[0]] && Array(index[...Int.min]) == [all[1]])
    expectTrue(index.max == .max && index.count(in: 0..<Int.max) == 1)
  }

  @Test func `It is exact between the changes of a section`() {
    let all = entities(Array(0..<100))
    let index = context.orderedIndex { (score: Score) in score.points }
    context.perform {
      for (number, entity) in all.enumerated() {
        entity.set(Score(points: 1000 - number))
        expectEqual(index.rank(of: 500), 99 - number)
      }
      expectEqual(Array(index[...]), all.reversed())
      for entity in all { entity.set(Score(points: 7)) }
      all[3].destroy()
      expectTrue(index.count == 99 && index[7].count == 99)
    }
  }

  @Test func `A transaction that is taken back leaves the order as it was`() {
    struct Stop: Error {}
    let all = entities([3, 1, 2])
    let index = context.orderedIndex { (score: Score) in score.points }
    context.perform {
      all[0].set(Score(points: 0))
      try? context.transaction {
        for entity in all { entity.set(Score(points: 9)) }
        all[1].destroy()
        throw Stop()
      }
    }
    expectTrue(Array(index[...]) == [all[0], all[1], all[2]] && index.keys == [0, 1, 2])
  }

  @Test func `Its view tells observers how the order changes`() {
    let all = entities([1, 2, 3])
    let index = context.orderedIndex { (score: Score) in score.points }
    let moves = Recorder<LiveViewDifference>()
    let token = index.view.observe(initial: false) { moves.append($0.difference) }
    all[0].set(Score(points: 9))
    expectEqual(moves.take().first?.moves.map(\.to), [2])
    expectEqual(index.last, all[0])
    withExtendedLifetime(token) {}
  }

  @Test func `It is empty when its context is gone`() {
    var context: Context? = Context()
    let entity = context?.createEntity(with: Score(points: 1))
    let index = context?.orderedIndex { (score: Score) in score.points }
    context = nil
    expectTrue(index?.count == 0 && index?[...].isEmpty == true && index?.min == nil)
    expectNil(entity.flatMap { index?.position(of: $0) })
  }

  @Test(arguments: 0..<3)
  func `Its key, and what compares keys, must not change the context`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let meddler = Meddling.Meddler { _ = context.createEntity(with: Score(points: 1)) }
      if way == 0 {
        let index = context.orderedIndex { (score: Score) in
          meddler.run()
          return score.points
        }
        context.createEntity(with: Score(points: 1))
        _ = index.count
      } else {
        let index = context.orderedIndex { (score: Score) in
          Meddling(points: score.points, meddler: way == 1 ? meddler : nil)
        }
        for points in 0..<40 { context.createEntity(with: Score(points: points % 7)) }
        _ = index.count(in: Meddling(points: 3, meddler: meddler)...)
      }
    }
    expectTrue(stopped(result, saying: "of a live view or an ordered index, or what compares keys"))
  }

  @Test func `Bounds may change the context, which is asked afterwards`() {
    struct Bounds: KeyRange {
      let change: @Sendable () -> Void
      var keyBounds: (lower: KeyBound<Int>, upper: KeyBound<Int>) {
        change()
        return (.including(5), .unbounded)
      }
    }
    let context = Context()
    let index = context.orderedIndex { (score: Score) in score.points }
    let entity = context.createEntity(with: Score(points: 1))
    expectEqual(index[Bounds { entity.set(Score(points: 7)) }], [entity])
    expectEqual(index.count(in: Bounds { entity.set(Score(points: 2)) }), 0)
  }

  @Test func `Of integers it finds the nearest, however far apart they are`() {
    struct Wide: Component { var value: Int }
    struct Unsigned: Component { var value: UInt64 }
    let context = Context()
    let (wide, unsigned) = (
      context.orderedIndex { (wide: Wide) in wide.value },
      context.orderedIndex { (unsigned: Unsigned) in unsigned.value }
    )
    let ends = [Int.min, .max].map { context.createEntity(with: Wide(value: $0)) }
    expectTrue(wide.nearest(to: -1) == ends[0] && wide.nearest(to: 0) == ends[1])
    expectTrue(wide.nearest(to: .min) == ends[0] && wide.nearest(to: .max) == ends[1])
    let others = [UInt64.min, .max].map { context.createEntity(with: Unsigned(value: $0)) }
    expectTrue(unsigned.nearest(to: 5) == others[0] && unsigned.nearest(to: .max - 5) == others[1])
  }
}

/// A key that may meddle with its context when it is compared.
private struct Meddling: Comparable, Sendable {
  final class Meddler: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  let points: Int
  var meddler: Meddler?

  static func == (one: Meddling, other: Meddling) -> Bool { one.points == other.points }

  static func < (one: Meddling, other: Meddling) -> Bool {
    one.meddler?.run()
    other.meddler?.run()
    return one.points < other.points
  }
}
