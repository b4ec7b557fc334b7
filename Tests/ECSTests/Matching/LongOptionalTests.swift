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
private struct Part<Number>: Component, Equatable {
  var value: Int

  init(_ value: Int) { self.value = value }
}

/// The values of a span of parts, or as many that are nil.
private func values<Number>(of span: Span<Part<Number>>?, count: Int) -> [Int?] {
  guard let span else { return Array(repeating: nil, count: count) }
  return span.indices.map { span[$0].value }
}

/// Iterations over five to eight components, some of which entities need not have.
@Suite struct LongOptionalTests {
  let context = Context()
  let group: Group

  init() {
    group = context.group(Part<P0>.matcher)
    // The odd ones lack what has an odd number.
    for number in 0..<4 {
      let entity = context.createEntity(with: Part<P0>(number), Part<P2>(number + 20))
      entity.set(Part<P4>(number + 40)).set(Part<P6>(number + 60))
      guard number.isMultiple(of: 2) else { continue }
      entity.set(Part<P1>(number + 10)).set(Part<P3>(number + 30))
      entity.set(Part<P5>(number + 50)).set(Part<P7>(number + 70))
    }
    // It lacks what all iterations ask for but as optional.
    context.createEntity(with: Part<P0>(9))
  }

  /// What the iterations below see of the first components.
  private func expected(_ count: Int) -> [[Int?]] {
    (0..<4).map { entity in
      (0..<count).map { $0.isMultiple(of: 2) || entity.isMultiple(of: 2) ? entity + $0 * 10 : nil }
    }
  }

  private func sorted(_ seen: [[Int?]]) -> [[Int?]] { seen.sorted { ($0[0] ?? 0) < ($1[0] ?? 0) } }

  /// The first components after they have grown by 100.
  private var grown: [Int] { group.sorted().compactMap { $0.get(Part<P0>.self)?.value } }

  @Test func `Five components`() {
    var seen: [[Int?]] = []
    group.withEach {
      (_, a: inout Part<P0>, b: Part<P1>?, c: Part<P2>, d: Part<P3>?, e: Part<P4>) in
      seen.append([a.value, b?.value, c.value, d?.value, e.value])
      a.value += 100
    }
    expectEqual(sorted(seen), expected(5))
    expectEqual(grown, [100, 101, 102, 103, 9])
  }

  @Test func `Six components, optional ones first`() {
    var seen: [[Int?]] = []
    group.withEach {
      (
        _, b: Part<P1>?, d: Part<P3>?, f: Part<P5>?, a: Part<P0>, c: Part<P2>, e: Part<P4>
      ) in
      seen.append([a.value, b?.value, c.value, d?.value, e.value, f?.value])
    }
    expectEqual(sorted(seen), expected(6))
  }

  @Test func `Seven components, of which some are changed`() {
    var seen: [[Int?]] = []
    group.withEach {
      (
        _, a: inout Part<P0>, c: inout Part<P2>, e: inout Part<P4>, b: Part<P1>?, d: Part<P3>?,
        f: Part<P5>?, g: Part<P6>
      ) in
      seen.append([a.value, b?.value, c.value, d?.value, e.value, f?.value, g.value])
      a.value += 100
      c.value = 0
      e.value = 0
    }
    expectEqual(sorted(seen), expected(7))
    expectEqual(grown, [100, 101, 102, 103, 9])
    expectEqual(group.compactMap { $0.get(Part<P4>.self)?.value }, [0, 0, 0, 0])
  }

  @Test func `Eight components`() {
    var seen: [[Int?]] = []
    group.withEach {
      (
        _, a: inout Part<P0>, b: Part<P1>?, c: Part<P2>, d: Part<P3>?, e: Part<P4>,
        f: Part<P5>?, g: Part<P6>, h: Part<P7>?
      ) in
      seen.append([
        a.value, b?.value, c.value, d?.value, e.value, f?.value, g.value, h?.value,
      ])
      a.value += 100
    }
    expectEqual(sorted(seen), expected(8))
    expectEqual(grown, [100, 101, 102, 103, 9])
  }

  @Test func `Eight optional components visit everything`() {
    var seen = 0
    var present = 0
    group.withEach {
      (
        _, a: Part<P0>?, b: Part<P1>?, c: Part<P2>?, d: Part<P3>?, e: Part<P4>?, f: Part<P5>?,
        g: Part<P6>?, h: Part<P7>?
      ) in
      seen += 1
      let values = [
        a?.value, b?.value, c?.value, d?.value, e?.value, f?.value, g?.value, h?.value,
      ]
      present += values.count { $0 != nil }
    }
    expectTrue(seen == 5 && present == 2 * 8 + 2 * 4 + 1)
  }

  @Test func `Chunks of five components`() {
    var seen: [[Int?]] = []
    group.withChunks {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: Span<Part<P1>>?, c: Span<Part<P2>>,
        d: Span<Part<P3>>?, e: Span<Part<P4>>
      ) in
      let bs = values(of: b, count: chunk.count)
      let ds = values(of: d, count: chunk.count)
      for offset in a.indices {
        seen.append([a[offset].value, bs[offset], c[offset].value, ds[offset], e[offset].value])
        a[offset].value += 100
      }
    }
    expectEqual(sorted(seen), expected(5))
    expectEqual(grown, [100, 101, 102, 103, 9])
  }

  @Test func `Chunks of eight components`() {
    var seen: [[Int?]] = []
    group.withChunks {
      (
        chunk, a: Span<Part<P0>>, b: Span<Part<P1>>?, c: Span<Part<P2>>, d: Span<Part<P3>>?,
        e: Span<Part<P4>>, f: Span<Part<P5>>?, g: Span<Part<P6>>, h: Span<Part<P7>>?
      ) in
      let bs = values(of: b, count: chunk.count)
      let ds = values(of: d, count: chunk.count)
      let fs = values(of: f, count: chunk.count)
      let hs = values(of: h, count: chunk.count)
      for offset in a.indices {
        seen.append([
          a[offset].value, bs[offset], c[offset].value, ds[offset], e[offset].value, fs[offset],
          g[offset].value, hs[offset],
        ])
      }
    }
    expectEqual(sorted(seen), expected(8))
  }

  @Test func `Chunks of six and seven components, on all cores`() {
    group.withChunksInParallel {
      (
        chunk, a: inout MutableSpan<Part<P0>>, b: Span<Part<P1>>?, c: Span<Part<P2>>,
        d: Span<Part<P3>>?, e: Span<Part<P4>>, f: Span<Part<P5>>?
      ) in
      for offset in a.indices { a[offset].value += f?[offset].value ?? 100 }
    }
    expectEqual(grown, [50, 101, 54, 103, 9])
    group.withChunksInParallel {
      (
        chunk, a: inout MutableSpan<Part<P0>>, c: inout MutableSpan<Part<P2>>, b: Span<Part<P1>>?,
        d: Span<Part<P3>>?, e: Span<Part<P4>>, f: Span<Part<P5>>?, g: Span<Part<P6>>
      ) in
      for offset in a.indices {
        a[offset].value = (b?[offset].value ?? 0) + (d?[offset].value ?? 0)
        c[offset].value = g[offset].value
      }
    }
    expectEqual(grown, [40, 0, 44, 0, 9])
    expectEqual(group.compactMap { $0.get(Part<P2>.self)?.value }.sorted(), [60, 61, 62, 63])
  }

  @Test func `A missing component in between leaves an entity out, optional ones or not`() {
    var visits = 0
    group.withEach {
      (_, a: inout Part<P0>, b: Part<P1>?, c: Part<P3>, d: Part<P5>?, e: Part<P7>?) in
      visits += 1
      a.value += 100
    }
    expectEqual(visits, 2)
    expectEqual(grown, [100, 1, 102, 3, 9])
  }
}
