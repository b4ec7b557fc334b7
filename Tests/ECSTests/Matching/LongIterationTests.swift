import ECS
import ECSTestSupport
import Testing

private enum P0 {}
private enum P1 {}
private enum P2 {}
private enum P3 {}
private enum P4 {}
private enum P5 {}
private enum P6 {}
private enum P7 {}

/// Eight types of components from one declaration.
private struct Part<Number>: Component, Equatable { var value: Int }

/// Iterations that ask for more than four components.
@Suite struct LongIterationTests {
  let context = Context()
  let group: Group

  init() {
    group = context.group(Part<P0>.matcher)
    for number in 0..<3 {
      let entity = context.createEntity()
      entity.set(Part<P0>(value: number)).set(Part<P1>(value: number + 10))
      entity.set(Part<P2>(value: number + 20)).set(Part<P3>(value: number + 30))
      entity.set(Part<P4>(value: number + 40)).set(Part<P5>(value: number + 50))
      entity.set(Part<P6>(value: number + 60)).set(Part<P7>(value: number + 70))
    }
    // It is of the group, and lacks what the iterations ask for.
    context.createEntity(with: Part<P0>(value: 7))
  }

  /// The values of all components of each entity that has them.
  private var values: [[Int?]] {
    group.sorted().dropLast().map { entity in
      [
        entity.get(Part<P0>.self)?.value, entity.get(Part<P1>.self)?.value,
        entity.get(Part<P2>.self)?.value, entity.get(Part<P3>.self)?.value,
        entity.get(Part<P4>.self)?.value, entity.get(Part<P5>.self)?.value,
        entity.get(Part<P6>.self)?.value, entity.get(Part<P7>.self)?.value,
      ]
    }
  }

  /// The same after so many of the first ones have grown by 100.
  private func grown(_ count: Int) -> [[Int?]] {
    (0..<3).map { entity in
      (0..<8).map { number in entity + number * 10 + (number < count ? 100 : 0) }
    }
  }

  /// The same after all but the last of them have shrunk again.
  private func shrunk(_ count: Int) -> [[Int?]] {
    grown(0).map { values in
      values.enumerated().map { $0.offset == count - 1 ? $0.element.map { $0 + 100 } : $0.element }
    }
  }

  private func read(_ count: Int) -> Set<[Int]> {
    Set((0..<3).map { entity in (0..<count).map { entity + $0 * 10 } })
  }

  @Test func `Five components are read and changed, one entity at a time`() {
    var seen: Set<[Int]> = []
    group.withEach {
      (_, a: Part<P0>, b: Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>) in
      seen.insert([a.value, b.value, c.value, d.value, e.value])
    }
    expectEqual(seen, read(5))
    group.withEach {
      (_, a: inout Part<P0>, b: inout Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>) in
      seen.remove([a.value, b.value, c.value, d.value, e.value])
      a.value += 100
      b.value += 100
    }
    expectTrue(seen.isEmpty && values == grown(2))
    group.withEach {
      (
        _, a: inout Part<P0>, b: inout Part<P1>, c: inout Part<P2>, d: inout Part<P3>,
        e: inout Part<P4>
      ) in
      c.value += 100
      d.value += 100
      e.value += 100
    }
    expectEqual(values, grown(5))
  }

  @Test func `Five components are read and changed, a chunk at a time`() {
    var seen: Set<[Int]> = []
    group.withChunks {
      (
        chunk, a: Span<Part<P0>>, b: Span<Part<P1>>, c: Span<Part<P2>>, d: Span<Part<P3>>,
        e: Span<Part<P4>>
      ) in
      for offset in a.indices {
        seen.insert([
          a[offset].value, b[offset].value, c[offset].value, d[offset].value, e[offset].value,
        ])
      }
    }
    expectEqual(seen, read(5))
    group.withChunks {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>
      ) in
      for offset in a.indices {
        a[offset].value += 100
        b[offset].value += 100
        c[offset].value += 100
        d[offset].value += 100
        e[offset].value += 100
      }
    }
    expectEqual(values, grown(5))
    group.withChunksInParallel {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>, e: Span<Part<P4>>
      ) in
      for offset in a.indices {
        a[offset].value -= 100
        b[offset].value -= 100
        c[offset].value -= 100
        d[offset].value -= 100
      }
    }
    expectEqual(values, shrunk(5))
  }

  @Test func `Six components are read and changed, one entity at a time`() {
    var seen: Set<[Int]> = []
    group.withEach {
      (_, a: Part<P0>, b: Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>, f: Part<P5>) in
      seen.insert([a.value, b.value, c.value, d.value, e.value, f.value])
    }
    expectEqual(seen, read(6))
    group.withEach {
      (_, a: inout Part<P0>, b: inout Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>, f: Part<P5>)
      in
      seen.remove([a.value, b.value, c.value, d.value, e.value, f.value])
      a.value += 100
      b.value += 100
    }
    expectTrue(seen.isEmpty && values == grown(2))
    group.withEach {
      (
        _, a: inout Part<P0>, b: inout Part<P1>, c: inout Part<P2>, d: inout Part<P3>,
        e: inout Part<P4>, f: inout Part<P5>
      ) in
      c.value += 100
      d.value += 100
      e.value += 100
      f.value += 100
    }
    expectEqual(values, grown(6))
  }

  @Test func `Six components are read and changed, a chunk at a time`() {
    var seen: Set<[Int]> = []
    group.withChunks {
      (
        chunk, a: Span<Part<P0>>, b: Span<Part<P1>>, c: Span<Part<P2>>, d: Span<Part<P3>>,
        e: Span<Part<P4>>, f: Span<Part<P5>>
      ) in
      for offset in a.indices {
        seen.insert([
          a[offset].value, b[offset].value, c[offset].value, d[offset].value, e[offset].value,
          f[offset].value,
        ])
      }
    }
    expectEqual(seen, read(6))
    group.withChunks {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>, f: inout MutableSpan<Part<P5>>
      ) in
      for offset in a.indices {
        a[offset].value += 100
        b[offset].value += 100
        c[offset].value += 100
        d[offset].value += 100
        e[offset].value += 100
        f[offset].value += 100
      }
    }
    expectEqual(values, grown(6))
    group.withChunksInParallel {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>, f: Span<Part<P5>>
      ) in
      for offset in a.indices {
        a[offset].value -= 100
        b[offset].value -= 100
        c[offset].value -= 100
        d[offset].value -= 100
        e[offset].value -= 100
      }
    }
    expectEqual(values, shrunk(6))
  }

  @Test func `Seven components are read and changed, one entity at a time`() {
    var seen: Set<[Int]> = []
    group.withEach {
      (_, a: Part<P0>, b: Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>, f: Part<P5>, g: Part<P6>)
      in
      seen.insert([a.value, b.value, c.value, d.value, e.value, f.value, g.value])
    }
    expectEqual(seen, read(7))
    group.withEach {
      (
        _, a: inout Part<P0>, b: inout Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>, f: Part<P5>,
        g: Part<P6>
      ) in
      seen.remove([a.value, b.value, c.value, d.value, e.value, f.value, g.value])
      a.value += 100
      b.value += 100
    }
    expectTrue(seen.isEmpty && values == grown(2))
    group.withEach {
      (
        _, a: inout Part<P0>, b: inout Part<P1>, c: inout Part<P2>, d: inout Part<P3>,
        e: inout Part<P4>, f: inout Part<P5>, g: inout Part<P6>
      ) in
      c.value += 100
      d.value += 100
      e.value += 100
      f.value += 100
      g.value += 100
    }
    expectEqual(values, grown(7))
  }

  @Test func `Seven components are read and changed, a chunk at a time`() {
    var seen: Set<[Int]> = []
    group.withChunks {
      (
        chunk, a: Span<Part<P0>>, b: Span<Part<P1>>, c: Span<Part<P2>>, d: Span<Part<P3>>,
        e: Span<Part<P4>>, f: Span<Part<P5>>, g: Span<Part<P6>>
      ) in
      for offset in a.indices {
        seen.insert([
          a[offset].value, b[offset].value, c[offset].value, d[offset].value, e[offset].value,
          f[offset].value, g[offset].value,
        ])
      }
    }
    expectEqual(seen, read(7))
    group.withChunks {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>, f: inout MutableSpan<Part<P5>>,
        g: inout MutableSpan<Part<P6>>
      ) in
      for offset in a.indices {
        a[offset].value += 100
        b[offset].value += 100
        c[offset].value += 100
        d[offset].value += 100
        e[offset].value += 100
        f[offset].value += 100
        g[offset].value += 100
      }
    }
    expectEqual(values, grown(7))
    group.withChunksInParallel {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>, f: inout MutableSpan<Part<P5>>, g: Span<Part<P6>>
      ) in
      for offset in a.indices {
        a[offset].value -= 100
        b[offset].value -= 100
        c[offset].value -= 100
        d[offset].value -= 100
        e[offset].value -= 100
        f[offset].value -= 100
      }
    }
    expectEqual(values, shrunk(7))
  }

  @Test func `Eight components are read and changed, one entity at a time`() {
    var seen: Set<[Int]> = []
    group.withEach {
      (
        _, a: Part<P0>, b: Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>, f: Part<P5>,
        g: Part<P6>, h: Part<P7>
      ) in
      seen.insert([a.value, b.value, c.value, d.value, e.value, f.value, g.value, h.value])
    }
    expectEqual(seen, read(8))
    group.withEach {
      (
        _, a: inout Part<P0>, b: inout Part<P1>, c: Part<P2>, d: Part<P3>, e: Part<P4>, f: Part<P5>,
        g: Part<P6>, h: Part<P7>
      ) in
      seen.remove([a.value, b.value, c.value, d.value, e.value, f.value, g.value, h.value])
      a.value += 100
      b.value += 100
    }
    expectTrue(seen.isEmpty && values == grown(2))
    group.withEach {
      (
        _, a: inout Part<P0>, b: inout Part<P1>, c: inout Part<P2>, d: inout Part<P3>,
        e: inout Part<P4>, f: inout Part<P5>, g: inout Part<P6>, h: inout Part<P7>
      ) in
      c.value += 100
      d.value += 100
      e.value += 100
      f.value += 100
      g.value += 100
      h.value += 100
    }
    expectEqual(values, grown(8))
  }

  @Test func `Eight components are read and changed, a chunk at a time`() {
    var seen: Set<[Int]> = []
    group.withChunks {
      (
        chunk, a: Span<Part<P0>>, b: Span<Part<P1>>, c: Span<Part<P2>>, d: Span<Part<P3>>,
        e: Span<Part<P4>>, f: Span<Part<P5>>, g: Span<Part<P6>>, h: Span<Part<P7>>
      ) in
      for offset in a.indices {
        seen.insert([
          a[offset].value, b[offset].value, c[offset].value, d[offset].value, e[offset].value,
          f[offset].value, g[offset].value, h[offset].value,
        ])
      }
    }
    expectEqual(seen, read(8))
    group.withChunks {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>, f: inout MutableSpan<Part<P5>>,
        g: inout MutableSpan<Part<P6>>, h: inout MutableSpan<Part<P7>>
      ) in
      for offset in a.indices {
        a[offset].value += 100
        b[offset].value += 100
        c[offset].value += 100
        d[offset].value += 100
        e[offset].value += 100
        f[offset].value += 100
        g[offset].value += 100
        h[offset].value += 100
      }
    }
    expectEqual(values, grown(8))
    group.withChunksInParallel {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: inout MutableSpan<Part<P1>>,
        c: inout MutableSpan<Part<P2>>, d: inout MutableSpan<Part<P3>>,
        e: inout MutableSpan<Part<P4>>, f: inout MutableSpan<Part<P5>>,
        g: inout MutableSpan<Part<P6>>, h: Span<Part<P7>>
      ) in
      for offset in a.indices {
        a[offset].value -= 100
        b[offset].value -= 100
        c[offset].value -= 100
        d[offset].value -= 100
        e[offset].value -= 100
        f[offset].value -= 100
        g[offset].value -= 100
      }
    }
    expectEqual(values, shrunk(8))
  }
}
