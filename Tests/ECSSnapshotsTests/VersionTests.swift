import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// What files of earlier and later programs become.
@Suite struct VersionTests {
  private struct Old: Component, Equatable {
    var count: Int16 = 0
    var name = ""
    var gone = 1.5
  }

  private struct New: Component, Equatable {
    var count = 0
    var title = "untitled"
    var note: String? = "new"
    var share: Double = 7
  }

  private struct Pair: Component, Codable, Equatable {
    var count = 0
    var name = ""
  }

  private let old = Old(count: -3, name: "a", gone: 2)

  private func oldSnapshot() throws -> Snapshot {
    let context = Context()
    context.createEntities(2, with: old)
    return try context.snapshot(
      try Schema("s") {
        Stored(of: Old(), as: "thing") {
          Field(\.count, at: "count")
          Field(\.name, at: "name")
          Field(\.gone, at: "gone")
        }
      })
  }

  private func restored<C: Component>(
    _ snapshot: Snapshot, _ schema: Schema, _ type: C.Type
  ) throws -> C? {
    let context = Context()
    try Snapshot(snapshot.data).restore(into: context, schema)
    return context.group(C.matcher).first?.get(type)
  }

  @Test func `fields that came have the prototype's values, fields that went are skipped`() throws {
    let schema = try Schema("s") {
      Stored(of: New(), as: "item", formerly: "thing") {
        Field(\.count, at: "count")
        Field(\.title, at: "title")
        Field(\.note, at: "note")
        Field(\.share, at: "share")
      }
    }
    try expectEqual(restored(try oldSnapshot(), schema, New.self), New(count: -3))
  }

  @Test func `a migration makes fields out of others, through all versions`() throws {
    let schema = try Schema("s") {
      Stored(of: New(), as: "thing", version: 3) {
        Field(\.count, at: "count")
        Field(\.title, at: "title")
        Field(\.note, at: "note")
        Field(\.share, at: "share")
      }
      .migrating(from: 1) { old in
        old["label"] = old["name"]
        old["name"] = nil
      }
      .migrating(from: 2) { old in
        old["title"] = .string((old["label"]?.string ?? "") + "!")
        old["note"] = .string(old.names.sorted().joined(separator: " "))
      }
    }
    try expectEqual(
      restored(try oldSnapshot(), schema, New.self),
      New(count: -3, title: "a!", note: "count gone label title", share: 7))
  }

  private struct Before: Component, Equatable {
    var date = Date(timeIntervalSince1970: 5.25)
    var share = -Float.infinity
    var other = -0.0
    var count: UInt16 = 9
    var blob = Data([1, 2])
    var id = UUID()
    var who: Entity?
  }

  private struct After: Component, Equatable {
    var date: Date?
    var share = 0.0
    var other: Double? = 1
    var count = 0.0
    var blob: Data?
    var id: UUID?
    var who: [Entity] = []
  }

  @Test func `values of every type become optional or wider, with and without migration`() throws {
    let context = Context()
    let entity = context.createEntity(with: Chosen())
    let before = Before(who: entity)
    context.createEntity(with: before)
    let snapshot = try context.snapshot(
      try Schema("s") {
        Stored(of: Chosen(), as: "chosen")
        Stored(of: Before(), as: "thing") {
          Field(\.date, at: "date", as: .iso8601)
          Field(\.share, at: "share")
          Field(\.other, at: "other")
          Field(\.count, at: "count")
          Field(\.blob, at: "blob", as: .base64)
          Field(\.id, at: "id")
          Field(\.who, at: "who")
        }
      })
    for version in 1...2 {
      var stored = Stored(of: After(), as: "thing", version: version) {
        Field(\.date, at: "date", as: .iso8601)
        Field(\.share, at: "share")
        Field(\.other, at: "other")
        Field(\.count, at: "count")
        Field(\.blob, at: "blob", as: .base64)
        Field(\.id, at: "id")
        Field(\.who, at: "who")
      }
      if version == 2 { stored = stored.migrating(from: 1) { _ in } }
      let copy = Context()
      try snapshot.restore(
        into: copy,
        try Schema("s") {
          Stored(of: Chosen(), as: "chosen")
          stored
        })
      let after = copy.group(After.matcher).first?.get(After.self)
      expectEqual(after?.date, before.date)
      expectEqual(after?.share, -.infinity)
      expectEqual(after?.other?.sign, .minus)
      expectEqual(after?.count, 9)
      expectEqual(after?.blob, before.blob)
      expectEqual(after?.id, before.id)
      expectEqual(after?.who, copy.group(Chosen.matcher).first.map { [$0] })
    }
  }

  @Test func `what is left out is not saved, even where other fields take as many bytes`() throws {
    let schema = try Schema("s") {
      Stored(of: Point(x: 7, y: 8), as: "point") {
        Field(\.x, at: "x")
        Field(\.x, at: "again")
      }
      .leaving(\.y)
    }
    let context = Context()
    context.createEntity(with: Point(x: 1, y: 2))
    try expectEqual(restored(try context.snapshot(schema), schema, Point.self), Point(x: 1, y: 8))
  }

  @Test func `a value that does not fit any more is an error that names it`() throws {
    struct Narrow: Component { var count: UInt8 = 0 }
    let schema = try Schema("s") {
      Stored(of: Narrow(), as: "thing") { Field(\.count, at: "count") }
    }
    let snapshot = try oldSnapshot()
    let context = Context()
    #expect {
      try snapshot.restore(into: context, schema)
    } throws: {
      guard let error = $0 as? SnapshotError, case .invalid = error.reason else { return false }
      return error.name == "thing.count" && error.offset != nil
    }
    expectEqual(context.count, 0)
  }

  @Test func `listed fields and Codable can be exchanged`() throws {
    let whole = try Schema("s") { Stored(Pair.self, as: "thing") }
    let listed = try Schema("s") {
      Stored(of: Pair(), as: "thing") {
        Field(\.count, at: "count")
        Field(\.name, at: "name")
      }
    }
    try expectEqual(restored(try oldSnapshot(), whole, Pair.self), Pair(count: -3, name: "a"))
    let context = Context()
    context.createEntity(with: Pair(count: 4, name: "b"))
    for (from, to) in [(whole, listed), (listed, whole), (whole, whole), (listed, listed)] {
      try expectEqual(
        restored(try context.snapshot(from), to, Pair.self), Pair(count: 4, name: "b"))
    }
  }

  @Test func `a later version is refused`() throws {
    let context = Context()
    context.createEntity(with: Chosen())
    let snapshot = try context.snapshot(
      try Schema("s") { Stored(of: Chosen(), as: "c", version: 2) })
    #expect(throws: SnapshotError(.laterVersion(found: 2, supported: 1), name: "c")) {
      try snapshot.restore(into: Context(), try Schema("s") { Stored(of: Chosen(), as: "c") })
    }
  }

  @Test func `unknown components and relations are refused, dropped or kept`() throws {
    let full = try sampleSchema()
    let small = try Schema("sample") {
      Stored(of: Chosen(), as: "chosen")
      Links(Near.self, as: "near")
    }
    for seed in 0..<20 {
      let context = sampleWorld(seed: UInt64(seed))
      context.unrelateAll(ChildOf.self)
      context.unrelateAll(WrittenBy.self)
      let before = picture(of: context)
      let snapshot = try Snapshot(try context.snapshot(full).data)
      #expect {
        try snapshot.restore(into: Context(), small)
      } throws: {
        ($0 as? SnapshotError)?.reason == .unknown
      }

      let dropped = Context()
      let report = try snapshot.restore(into: dropped, small, unknown: .drop)
      expectTrue(report.unknownComponents.contains("clock"))
      expectEqual(report.created, dropped.count)
      expectTrue(dropped.group(UnknownComponents.matcher).isEmpty)

      let kept = Context()
      try expectEqual(
        snapshot.restore(into: kept, small, unknown: .keep).unknownComponents,
        report.unknownComponents)
      expectTrue(kept.group(Point.matcher).isEmpty)
      // An old program saves, and the new one has everything again.
      let again = Context()
      try Snapshot(try kept.snapshot(small).data).restore(into: again, full)
      expectEqual(lines(picture(of: again)), lines(before))
    }
  }

  /// Without the order of rows: a program without a component has other tables.
  private func lines(_ picture: String) -> [Substring] {
    picture.split(separator: "\n").filter { $0.first?.isNumber == true }
  }

  @Test func `kept references follow their entities, and those to destroyed ones are dropped`()
    throws
  {
    let full = try sampleSchema()
    let small = try Schema("sample") { Stored(of: Chosen(), as: "chosen") }
    let context = Context()
    let targets = context.createEntities(3, with: Chosen())
    context.createEntity(with: Likes(best: targets[0], all: [targets[1], targets[2]]))
    context.createEntity(with: Likes(best: targets[2], all: []))
    let kept = Context()
    try context.snapshot(full).restore(into: kept, small, unknown: .keep)
    let second = kept.group(Chosen.matcher).sorted()[1]
    let first = kept.group(Chosen.matcher).sorted()[0]
    first.destroy()
    second.destroy()
    let again = Context()
    try kept.snapshot(small).restore(into: again, full)
    let target = again.group(Chosen.matcher).first
    let likes = again.group(Likes.matcher).sorted().compactMap { $0.get(Likes.self) }
    expectEqual(
      likes, [Likes(best: nil, all: target.map { [$0] } ?? []), Likes(best: target, all: [])])
  }
}

extension Context {
  fileprivate func unrelateAll<R: Relation>(_ relation: R.Type) {
    for (source, target) in links(relation) { source.unrelate(relation, from: target) }
  }
}

extension Transformer where Value == Data {
  static var base64: Transformer {
    Transformer("base64") { (value) throws(TransformFailure) in
      guard let text = value.string, let data = Data(base64Encoded: text) else {
        throw .mismatch(expected: "base64", found: value)
      }
      return data
    } encode: {
      .string($0.base64EncodedString())
    }
  }
}
