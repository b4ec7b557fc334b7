import ECS

extension Benchmark {
  /// Entities with 5, 10 and 20 components, each of four bytes.
  static var wide: [Benchmark] { wide5 + wide10 + wide20 }

  private static var wide5: [Benchmark] {
    rows("K5", 5) { context in
      context.createEntity(
        with: Wide0(v: 1), Wide1(v: 1), Wide2(v: 1), Wide3(v: 1), Wide4(v: 1))
    } sum: {
      sum5($0)
    }
  }

  private static func sum5(_ entity: Entity) -> Float {
    var sum: Float = 0
    sum += entity.get(Wide0.self)?.v ?? 0
    sum += entity.get(Wide1.self)?.v ?? 0
    sum += entity.get(Wide2.self)?.v ?? 0
    sum += entity.get(Wide3.self)?.v ?? 0
    sum += entity.get(Wide4.self)?.v ?? 0
    return sum
  }

  private static var wide10: [Benchmark] {
    rows("K10", 10) { context in
      context.createEntity(
        with: Wide0(v: 1), Wide1(v: 1), Wide2(v: 1), Wide3(v: 1), Wide4(v: 1), Wide5(v: 1),
        Wide6(v: 1), Wide7(v: 1), Wide8(v: 1), Wide9(v: 1))
    } sum: {
      sum10($0)
    }
  }

  private static func sum10(_ entity: Entity) -> Float {
    var sum: Float = sum5(entity)
    sum += entity.get(Wide5.self)?.v ?? 0
    sum += entity.get(Wide6.self)?.v ?? 0
    sum += entity.get(Wide7.self)?.v ?? 0
    sum += entity.get(Wide8.self)?.v ?? 0
    sum += entity.get(Wide9.self)?.v ?? 0
    return sum
  }

  private static var wide20: [Benchmark] {
    rows("K20", 20) { context in
      context.createEntity(
        with: Wide0(v: 1), Wide1(v: 1), Wide2(v: 1), Wide3(v: 1), Wide4(v: 1), Wide5(v: 1),
        Wide6(v: 1), Wide7(v: 1), Wide8(v: 1), Wide9(v: 1), Wide10(v: 1), Wide11(v: 1),
        Wide12(v: 1), Wide13(v: 1), Wide14(v: 1), Wide15(v: 1), Wide16(v: 1), Wide17(v: 1),
        Wide18(v: 1), Wide19(v: 1))
    } sum: {
      sum20($0)
    }
  }

  private static func sum20(_ entity: Entity) -> Float {
    var sum: Float = sum10(entity)
    sum += entity.get(Wide10.self)?.v ?? 0
    sum += entity.get(Wide11.self)?.v ?? 0
    sum += entity.get(Wide12.self)?.v ?? 0
    sum += entity.get(Wide13.self)?.v ?? 0
    sum += entity.get(Wide14.self)?.v ?? 0
    sum += entity.get(Wide15.self)?.v ?? 0
    sum += entity.get(Wide16.self)?.v ?? 0
    sum += entity.get(Wide17.self)?.v ?? 0
    sum += entity.get(Wide18.self)?.v ?? 0
    sum += entity.get(Wide19.self)?.v ?? 0
    return sum
  }

  private static func rows(
    _ id: String, _ count: Int, create: @escaping (Context) -> Entity,
    sum: @escaping (Entity) -> Float
  ) -> [Benchmark] {
    let setUp = { (n: Int) in
      let world = ContextWorld(n)
      world.entities = (0..<n).map { _ in create(world.context) }
      return world
    }
    return [
      Benchmark(
        id, "create with \(count) components, one at a time",
        ecs: Workload(
          .fresh, setUp: ContextWorld.empty,
          run: { world in
            var last: Entity?
            for _ in 0..<world.n { last = create(world.context) }
            return Double(last.map(sum) ?? 0)
          },
          check: { world, sum in
            Checksum(sum, expected: Double(count)).and(world.context.count, expected: world.n)
          })),
      Benchmark(
        "\(id).read", "get all \(count) components of each",
        ecs: Workload(
          .kept, setUp: setUp,
          run: { world in world.entities.reduce(0) { $0 + Double(sum($1)) } },
          check: { world, sum in Checksum(sum, expected: Double(count * world.n)) })),
      Benchmark(
        "\(id).pair", "add a Tag to each with \(count) components, then remove it from each",
        .nanoseconds(per: "pair"),
        ecs: addingAndRemovingTag(setUp)),
    ]
  }
}

private typealias Level1 = Next<Start>
private typealias Level2 = Next<Level1>
private typealias Level3 = Next<Level2>
private typealias Level4 = Next<Level3>
private typealias Level5 = Next<Level4>
private typealias Level6 = Next<Level5>
private typealias Level7 = Next<Level6>
private typealias Level8 = Next<Level7>
private typealias Level9 = Next<Level8>
private typealias Level10 = Next<Level9>
private typealias Level11 = Next<Level10>
private typealias Level12 = Next<Level11>
private typealias Level13 = Next<Level12>
private typealias Level14 = Next<Level13>
private typealias Level15 = Next<Level14>
private typealias Level16 = Next<Level15>
private typealias Level17 = Next<Level16>
private typealias Level18 = Next<Level17>
private typealias Level19 = Next<Level18>
private typealias Wide0 = Extra<Start>
private typealias Wide1 = Extra<Level1>
private typealias Wide2 = Extra<Level2>
private typealias Wide3 = Extra<Level3>
private typealias Wide4 = Extra<Level4>
private typealias Wide5 = Extra<Level5>
private typealias Wide6 = Extra<Level6>
private typealias Wide7 = Extra<Level7>
private typealias Wide8 = Extra<Level8>
private typealias Wide9 = Extra<Level9>
private typealias Wide10 = Extra<Level10>
private typealias Wide11 = Extra<Level11>
private typealias Wide12 = Extra<Level12>
private typealias Wide13 = Extra<Level13>
private typealias Wide14 = Extra<Level14>
private typealias Wide15 = Extra<Level15>
private typealias Wide16 = Extra<Level16>
private typealias Wide17 = Extra<Level17>
private typealias Wide18 = Extra<Level18>
private typealias Wide19 = Extra<Level19>
