import ECSTestSupport
import Foundation
import Testing

/// Closures in which literals are added and multiplied, which overloads can make slow to compile.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct ArithmeticCompileTests {
  /// Every call of the module that takes a closure, as far as that may compute something.
  private static let calls = """
    _ = entity.targets(MemberOf.self).entities { $0.n * 2 + Int($0.x * 3) > n + 1 }
    entity.targets(MemberOf.self).sort(byValue: { $0.n * 2 + 1 < $1.n * 3 - 1 })
    _ = entity.targets(MemberOf.self).filtered(byValue: MemberOf.self) { $0.n * 2 + Int($0.x * 3) > $0.n + 1 }
    _ = entity.targets(MemberOf.self).view().sections(by: { $0.n / 10 * 2 + 1 }, ofValue: MemberOf.self)
    entity.update(MemberOf.self, to: entity) { $0.n = $0.n * 2 + Int($0.x * 3) + 1 }
    for entity in entities where entity.get(A.self).map({ $0.x * 2 + 1 > 0.5 }) == true {}
    _ = context.createEntities(from: places) { (x, y, luck) in
      (A(x: x * 2 + 1, n: n + Int(luck * 3)), B(x: y, n: n + 3 * 2), C(x: scale * (0.8 + 0.4 * luck)))
    }
    _ = context.createEntities(from: places) { place in A(x: place.0 * 2 + 0.5, n: n + Int(place.1 * 3)) }
    _ = context.createEntities(from: 0..<9) { (A(x: Float($0) * 2 + 1, n: $0 * 2 - 1), B(n: $0 % 3 + n * 2)) }
    context.createEntities(9, in: [NewTable([A.cid], 0..<9)]) { table, columns in
      columns.initialize(A.self) { column in
        for row in 0..<9 { column.append(A(x: Float(row) * 0.5 + 2, n: row * 3 + table * 2 - 1)) }
      }
    }
    context.withColumns { columns in print(columns.count * 2 + n * 3 - 1) }
    _ = try? entity.clone { copy in copy.set(A(x: (copy.get(A.self)?.x ?? 0) * 2 + 0.5, n: n * 3 + 1)) }
    _ = try? context.clone(entities) { copy in copy.set(B(x: scale * 2 + 0.5, n: n * 3 + 1)) }
    _ = context.createEntity(from: orc) { copy in copy.set(A(x: scale * 2 + 0.5, n: n * 3 + 1)) }
    _ = context.createEntities(9, from: orc) { number, copy in copy.set(A(x: Float(number) * 2 + 0.5, n: number * 3 + 1)) }
    _ = Requirement(A(x: 0.5 * 2 + 1, n: 3 * 2 - 1), whenRemoved: .cascades)
    _ = RequirementBuilder.buildExpression(A(x: 0.5 * 2 + 1, n: 3 * 2 - 1))
    entity.update(A.self) { $0.x += $0.x * 2 + Float($0.n * 3 - 1) * 0.5 }
    entity.update(default: A()) { $0.n += n * 2 + 3 - Int(scale * 4) }
    entity.updateIfChanged(A.self) { $0.x = scale * (0.8 + 0.4 * $0.x) }
    context.updateUniqueComponent(U.self) { $0.n = $0.n * 2 + n * 3 - 1 }
    context.withUnique(U(n: n * 2 + 1)) { print(n * 2 + Int(scale * 3)) }
    context.reading { n = n * 2 + Int(scale * 3) - 1 }
    context.perform { n = n * 2 + Int(scale * 3) - 1 }
    context.transaction { n = n * 2 + Int(scale * 3) - 1 }
    group.withEach { (_, a: inout A, b: B) in a.x += b.x * 2 + Float(b.n * 3 + n) * 0.5 }
    group.withEach { (_, a: inout A, b: inout B, c: C) in (a.x, b.n) = (c.x * 2 + 1, b.n * 3 + n - 1) }
    group.withEach { (_, a: inout A, b: B?) in a.x += (b?.x ?? 0) * 2 + scale * 0.5 }
    context.withEach { (_, a: inout A, b: B) in a.n += Int(b.x * 2 + 0.5) + n * 3 }
    entities.withEach { (_, a: A, b: B) in n += a.n * 2 + b.n * 3 + Int(a.x * 0.5 + scale) }
    entities.withEach { (_, a: A) in n += a.n * 2 + 3 + Int(a.x * 0.5 + scale) }
    group.withChunks { (chunk, a: inout MutableSpan<A>, b: Span<B>) in
      for row in a.indices { a[row].x += b[row].x * 2 + Float(chunk.count * 3 + n) * 0.5 }
    }
    group.withChunksInParallel { (chunk, a: inout MutableSpan<A>) in
      for row in a.indices { a[row].x += a[row].x * 2 + Float(chunk.count * 3 + 1) * 0.5 }
    }
    frozen.withEach { (_, a: A) in n += a.n * 2 + 3 + Int(a.x * 0.5 + scale) }
    frozen.withEach { (_, a: A, b: B?) in n += a.n * 2 + (b?.n ?? 0) * 3 + Int(a.x * 0.5 + scale) }
    _ = group.firstNonNil { (_, a: A, b: B) -> Int? in a.n * 2 + b.n * 3 > n ? a.n * 2 + 1 : nil }
    _ = context.firstNonNil { (_, a: A) -> Int? in a.n * 2 + Int(a.x * 3) > n ? a.n * 2 + 1 : nil }
    _ = group.sorted(forObject: owner) { $0.creationNumber ?? 0 * 2 + 1 < $1.creationNumber ?? 3 * 2 - 1 }
    _ = group.filtered { (a: A) in a.x * 2 + 1 > scale * 0.5 + 3 }
    _ = group.filtered { (a: A, b: B) in a.x * 2 + b.x * 3 > Float(a.n * 2 + b.n) * 0.5 }
    _ = group.filtered(byTarget: PartOf.self) { (a: A) in a.x * 2 + 1 > Float(a.n * 3) * 0.5 }
    _ = group.filtered(byTarget: PartOf.self) { (a: A, b: B) in a.x * 2 + b.x * 3 > Float(a.n * 2) }
    _ = group.sorted(by: \\A.n).sections { (a: A) in a.n / 10 * 2 + 1 }
    _ = group.views { (a: A) in a.n / 10 * 2 + 1 }
    _ = group.sorted(by: \\A.n).sections(by: { (a: A) in a.n / 10 * 2 + 1 }, ofTarget: PartOf.self)
    _ = context.rows { a, b in a.relates(PartOf.self, to: b); for _ in 0..<n * 2 + 1 { b.matches(A.matcher) } }
    _ = context.rows { a, b, c in a.relates(PartOf.self, to: b); if n * 2 + 1 > 3 { c.matches(A.matcher) } }
    _ = context.index { (a: A) in a.n / 10 * 2 + Int(a.x * 3) }
    _ = context.index(keys: { (a: A) in [a.n / 10 * 2 + 1, Int(a.x * 3) - 2] })
    _ = context.primaryIndex { (a: A) in a.n * 2 + Int(a.x * 3) }
    _ = context.orderedIndex { (a: A) in a.x * 2 + Float(a.n * 3) * 0.5 }
    _ = context.sum(of: { (a: A) in a.n * 2 + Int(a.x * 3) }, by: { (a: A) in a.n / 10 * 2 + 1 })
    _ = context.sum(of: { (a: A) in Double(a.x) * 2 + 0.5 }, by: { (a: A) in a.n / 10 * 2 + 1 })
    _ = context.average(of: { (a: A) in Double(a.x) * 2 + 0.5 }, by: { (a: A) in a.n / 10 * 2 })
    _ = context.count(by: { (a: A) in a.n / 10 * 2 + Int(a.x * 3) })
    _ = context.extremes(of: { (a: A) in a.x * 2 + 0.5 }, by: { (a: A) in a.n / 10 * 2 + 1 })
    _ = context.aggregate(
      of: { (a: A) in a.n * 2 + Int(a.x * 3) }, by: { (a: A) in a.n / 10 * 2 + 1 }, combining: { $0 * 2 + $1 - 1 })
    _ = context.sum(of: { (a: A) in a.n * 2 + Int(a.x * 3) }, byTarget: PartOf.self, PartOf.self)
    _ = context.sum(of: { (a: A) in Double(a.x) * 2 + 0.5 }, byTarget: PartOf.self)
    _ = context.average(of: { (a: A) in Double(a.x) * 2 + 0.5 }, byTarget: PartOf.self)
    _ = context.count(of: A.self, byTarget: PartOf.self, where: { $0.n / 10 * 2 + 1 > Int($0.x * 3) })
    _ = context.extremes(of: { (a: A) in a.x * 2 + 0.5 }, byTarget: PartOf.self)
    _ = context.aggregate(
      of: { (a: A) in a.n * 2 + Int(a.x * 3) }, byTarget: PartOf.self, combining: { $0 * 2 + $1 - 1 })
    _ = group.filtered(by: context.sum(of: \\A.n, byTarget: PartOf.self)) { ($0 ?? 0) * 2 + 1 > 3 * 4 }
    context.withStorage(A.self) { storage in
      storage.update(entity) { $0.x += $0.x * 2 + Float($0.n * 3) * 0.5 }
      storage.withEach(of: entities) { (_, a) in n += a.n * 2 + Int(a.x * 3) - 1 }
    }
    context.withStorages(A.self, B.self) { a, b in
      a[entity] = A(x: (b[entity]?.x ?? 0) * 2 + scale * 0.5, n: n * 2 + 1)
    }
    entity.walk { child, depth in n += depth * 2 + Int(scale * 3) - 1 }
    entity.sources(PartOf.self).sort { ($0.creationNumber ?? 0) * 2 + 1 < ($1.creationNumber ?? 0) * 2 + 3 }
    var map = EntityMap<Int>()
    map[entity, default: n * 2 + Int(scale * 3) - 1] += 1
    collector.ignoring { n = n * 2 + Int(scale * 3) - 1 }
    _ = group.observe { _ in print(2 * 3 + Int(0.5 * 4)) }
    _ = group.observeAfterwards { print(2 * 3 + Int(0.5 * 4)) }
    _ = group.observeChanges { change in print(2 * 3 + Int((change.new(A.self)?.x ?? 0) * 4)) }
    _ = group.observeChanges(of: A.self) { _, old, new in
      print((old?.x ?? 0) * 2 + (new?.x ?? 1) * 0.5 + Float((new?.n ?? 0) * 3))
    }
    _ = context.observeEvents { _ in print(2 * 3 + Int(0.5 * 4)) }
    _ = context.observeRunaways { report in print(report.rounds * 2 + 3) }
    _ = context.journal().observe { commit in print(commit.number * 2 + 3) }
    loop.on(A.matcher, name: "a") { set in print(set.count * 2 + Int(0.5 * 4)) }
    loop.onAsync(collector, name: "f", limit: 2 * 3) { order in
      let sum = Float(order.get(A.self)?.n ?? 0) * 2 + 0.5
      return { order.set(B(x: sum * 3 + 1, n: 2 * 3 + Int(sum))) }
    }
    loop.onAsync(A.matcher, name: "h", limit: 2 * 3) { order in
      let sum = Float(order.get(A.self)?.n ?? 0) * 2 + 0.5
      return { order.set(B(x: sum * 3 + 1, n: 2 * 3 + Int(sum))) }
    }
    struct Silent: SystemLogger {}
    Silent().pass { n = n * 2 + Int(scale * 3) - 1 }
    Silent().run("i", in: .execute, entities: 2 * 3 + 1) { n = n * 2 + Int(scale * 3) - 1 }
    _ = { () async throws in
      let sum = n * 2 + 1
      _ = try await Silent().work("j") { { print(sum * 2 + Int(0.5 * 4)) } }
    }
    loop.every(.seconds(2 * 3 + 1), name: "g") { print(2 * 3 + Int(0.5 * 4)) }
    _ = ClosureSystem("b", collector: collector) { set in print(set.count * 2 + Int(0.5 * 4)) }
    _ = ClosureExecuteSystem("c") { print(2 * 3 + Int(0.5 * 4)) }
    _ = ClosureCleanupSystem("d") { print(2 * 3 + Int(0.5 * 4)) }
    _ = Loop(name: "e", systems: []) { failure in print(failure.loop.count * 2 + 3) }
    _ = LoopClock(now: { .seconds(2 * 3 + 1) }, run: { wait, _, _ in print(wait * 2 + .seconds(3)) })
    """

  private static let program = """
    import Dispatch
    import ECS

    struct A: Component, Equatable { var x: Float = 0; var n = 0 }
    struct B: Component { var x: Float = 0; var n = 0 }
    struct C: Component { var x: Float = 0; var n = 0 }
    struct U: UniqueComponent { var n = 0 }
    enum PartOf: ToOneRelation {}
    enum MemberOf: Relation { typealias Value = A }

    func use(
      _ context: Context, _ entity: Entity, _ entities: [Entity], _ group: Group, _ owner: AnyObject,
      _ collector: Collector, _ loop: ReactiveLoop, _ places: [(Float, Float, Float)], _ scale: Float,
      _ orc: Template, _ frozen: FrozenContext
    ) {
      var n = 3
    \(calls)
    }

    @MainActor func use(_ context: Context, _ group: Group, _ loop: ReactiveLoop, _ owner: Owner) {
      group.observeOnMainActor(by: owner) { owner, _ in owner.n += owner.n * 2 + Int(0.5 * 4) }
      group.observeChangesOnMainActor(by: owner) { owner, _ in owner.n += owner.n * 2 + Int(0.5 * 4) }
      context.observeEventsOnMainActor(by: owner) { owner, _ in owner.n += owner.n * 2 + Int(0.5 * 4) }
      loop.onMainActor(A.matcher, name: "a") { set in print(set.count * 2 + Int(0.5 * 4)) }
    }

    @MainActor final class Owner { var n = 0 }
    """

  /// Counted, since time depends on what else a machine does: the most are some 3,000 scopes, in 25 milliseconds.
  @Test func `No expression makes the compiler open more than 8,000 scopes of overloads`() throws {
    let options = { (limit: Int) in ["-Xfrontend", "-solver-scope-threshold=\(limit)"] }
    try expectEqual(SwiftCompiler.messages(for: Self.program, options: options(8000)), "")
    let messages = try SwiftCompiler.messages(for: Self.program, options: options(200))
    expectTrue(messages.contains("reasonable time"))
  }

  /// The names of calls in the sources that take closures.
  private static func names() throws -> Set<String> {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let sources = tests.appendingPathComponent("../../../Sources/ECS").standardizedFileURL
    let call = try Regex(
      #"public (?:static |mutating |borrowing )*func (\w+)(?:<[^{]*?>)?\(([^{]*?)\{"#)
    let closure = try Regex(
      #":\s*(?:@\w+(?:\(\w+\))?\s+|sending\s+)*\([^{]*?\)\s*(?:async\s+)?(?:throws(?:\(\w+\))?\s*)?->"#
    )
    var names: Set<String> = []
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift", !file.path.contains("/Migration/") else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: call) {
        guard let name = match.output[1].substring, let rest = match.output[2].substring,
          // What it returns is behind its parameters.
          let end = rest.range(of: "\n  )")?.lowerBound ?? rest.lastIndex(of: ")")
        else { continue }
        if rest[..<end].firstMatch(of: closure) != nil { names.insert(String(name)) }
      }
    }
    return names
  }

  @Test func `Every call that takes a closure is tried`() throws {
    let names = try Self.names()
    expectGreaterThan(names.count, 30)
    for name in names.sorted() {
      let isTried = ["(", " {"].contains { Self.program.contains(".\(name)\($0)") }
      expectTrue(isTried, "Add a call of \(name) with arithmetic in its closure.")
    }
  }
}
