import ECS
import ECSTestSupport
import Testing

/// That values of bulk calls come where they belong, whatever their size, alignment and kind.
@Suite(.noHangs) struct BulkValuesTests {
  private struct Byte: Component, Equatable { var a: UInt8 }
  private struct Three: Component, Equatable { var (a, b, c): (UInt8, UInt8, UInt8) = (0, 0, 0) }
  private struct Five: Component, Equatable { var (a, b): (Int32, UInt8) = (0, 0) }
  private struct Two: Component, Equatable { var (a, b): (Int64, Int64) = (0, 0) }
  private struct Wide: Component, Equatable { var vector: SIMD4<Float> }
  private struct Large: Component, Equatable { var (a, b, c): (Int64, Int32, UInt8) = (0, 0, 0) }
  private struct Text: Component, Equatable { var text: String }

  /// Not moved by copying its bytes.
  private struct Watching: Component { weak var object: Object? }
  private final class Object: Sendable {}

  private struct Failure: Error {}

  private static func wide(_ number: Int) -> Wide { Wide(vector: SIMD4(repeating: Float(number))) }

  @Test(arguments: [1, 2, 31, 32, 33, 1000])
  func `values of elements are those of their entities`(count: Int) {
    let context = Context()
    // Rows that are there already, and slots that are free.
    context.createEntities(from: 0..<7) { _ in (Byte(a: 9), Three(), Five(), Tag()) }[3].destroy()
    let made = context.createEntities(from: 0..<count) { number in
      let three = Three(a: 1, b: UInt8(number % 7), c: 3)
      return (Byte(a: UInt8(number % 251)), three, Five(a: Int32(number), b: 5), Tag())
    }
    expectTrue(made.count == count && Set(made).count == count)
    for (number, entity) in made.enumerated() {
      expectEqual(entity.get(Byte.self), Byte(a: UInt8(number % 251)))
      expectEqual(entity.get(Three.self), Three(a: 1, b: UInt8(number % 7), c: 3))
      expectEqual(entity.get(Five.self), Five(a: Int32(number), b: 5))
      expectTrue(entity.has(Tag.self))
    }
  }

  @Test func `large, aligned and counted values are those of their entities, too`() {
    let context = Context()
    let object = Object()
    let made = context.createEntities(from: 0..<300) { number in
      (
        Byte(a: UInt8(number % 2)), Self.wide(number), Text(text: "number \(number), at length"),
        Two(a: Int64(number), b: -1), Watching(object: object), Large(a: 1, b: Int32(number), c: 7)
      )
    }
    for (number, entity) in made.enumerated() {
      expectEqual(entity.get(Wide.self), Self.wide(number))
      expectEqual(entity.get(Text.self)?.text, "number \(number), at length")
      expectEqual(entity.get(Two.self), Two(a: Int64(number), b: -1))
      expectTrue(entity.get(Watching.self)?.object === object)
      expectEqual(entity.get(Large.self), Large(a: 1, b: Int32(number), c: 7))
    }
  }

  @Test func `weak references of entities that were made of elements end with their object`() {
    let context = Context()
    var object: Object? = Object()
    let made = context.createEntities(from: 0..<100) { _ in (Byte(a: 1), Watching(object: object)) }
    object = nil
    expectTrue(made.allSatisfy { $0.get(Watching.self)?.object == nil && $0.has(Watching.self) })
  }

  @Test(arguments: [0, 1, 50, 999])
  func `a closure that throws late ends all that it made before`(end: Int) {
    let context = Context()
    let counter = LifeCounter()
    #expect(throws: Failure.self) {
      try context.createEntities(from: 0..<1000) { number throws(Failure) in
        if number == end { throw Failure() }
        return (Tracked(counter, number: number), Text(text: "\(number) \(counter)"), Byte(a: 1))
      }
    }
    expectTrue(counter.beginnings == end && counter.living == 0 && context.count == 0)
  }

  @Test(arguments: [0, 1, 2, 5000])
  func `copies of values are alike`(count: Int) {
    let context = Context()
    let made = context.createEntities(
      count, with: Three(a: 1, b: 2, c: 3), Tag(), Self.wide(7), Text(text: "alike, and at length"),
      Large(a: 1, b: 2, c: 3))
    expectEqual(made.count, count)
    expectTrue(
      made.allSatisfy { $0.get(Three.self) == Three(a: 1, b: 2, c: 3) && $0.has(Tag.self) })
    expectTrue(made.allSatisfy { $0.get(Wide.self) == Self.wide(7) })
    expectTrue(made.allSatisfy { $0.get(Text.self)?.text == "alike, and at length" })
    expectTrue(made.allSatisfy { $0.get(Large.self) == Large(a: 1, b: 2, c: 3) })
  }

  @Test(arguments: [0, 1, 9, 10, 11, 200], [false, true])
  func `Entities are those of their rows, in slots that were used before and in new ones`(
    count: Int, ofElements: Bool
  ) {
    let context = Context()
    let old = context.createEntities(20, with: Byte(a: 1))
    // Ten free slots of different generations.
    for number in 0..<10 {
      old[number * 2].destroy()
      if number % 3 == 0 { context.createEntity().destroy() }
    }
    let made =
      ofElements
      ? context.createEntities(from: 0..<count) { _ in (Byte(a: 2), Tag()) }
      : context.createEntities(count, with: Byte(a: 2), Tag())
    expectEqual(Set(made), Set(context.group(Tag.self)))
    expectTrue(Set(made).count == count && Set(made).isDisjoint(with: old))
    expectTrue(made.allSatisfy { $0.isAlive && $0.get(Byte.self) == Byte(a: 2) })
    expectEqual(context.group(Byte.self).sorted().suffix(count), made[...])
    for (number, entity) in made.enumerated() { entity.set(Byte(a: UInt8(number))) }
    for entity in made.reversed() { entity.destroy() }
    expectTrue(made.allSatisfy { !$0.isAlive } && context.count == 10)
    expectTrue(old.enumerated().allSatisfy { $1.isAlive == ($0 % 2 == 1) })
    expectTrue(old.allSatisfy { !$0.isAlive || $0.get(Byte.self) == Byte(a: 1) })
  }
}
