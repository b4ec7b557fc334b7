import ECSTestSupport
import Testing

/// Closures that are given copies take no `inout`, which would lose what is written.
@Suite(.enabled(if: SwiftCompiler.isAvailable)) struct CopiesCompileTests {
  private static func program(_ call: String) -> String {
    """
    import ECS

    struct A: Component { var x = 0 }
    struct B: Component { var x = 0 }
    struct C: Component { var x = 0 }
    enum PartOf: ToOneRelation {}

    func use(_ context: Context, _ entities: [Entity], _ set: EntitySet, _ group: Group) {
      \(call)
    }
    """
  }

  @Test(arguments: [
    "entities.withEach { (_, a: inout A) in a.x += 1 }",
    "entities.withEach { (_, a: A, b: inout B) in b.x += a.x }",
    "set.withEach { (_, a: inout A, b: B) in a.x += b.x }",
    "_ = group.filtered { (a: inout A) in a.x > 0 }",
    "_ = group.filtered { (a: A, b: B, c: inout C) in a.x > c.x }",
    "_ = group.filtered { (a: A, b: inout B) in a.x > b.x }",
    "_ = group.filtered(byTarget: PartOf.self) { (a: inout A) in a.x > 0 }",
    "_ = group.filtered(byTarget: PartOf.self) { (a: A, b: inout B) in a.x > b.x }",
    "_ = group.filtered(byTarget: PartOf.self) { (a: A, b: B, c: inout C) in a.x > c.x }",
  ])
  func `Values that are copies are not inout`(call: String) throws {
    try expectTrue(SwiftCompiler.messages(for: Self.program(call)).contains("error: "))
  }

  @Test func `They are taken as before`() throws {
    let messages = try SwiftCompiler.messages(
      for: Self.program(
        """
        entities.withEach { (entity, a: A) in print(entity, a.x) }
        entities.withEach { (entity: Entity, a: A, b: B, c: C) in print(entity, a.x + b.x + c.x) }
        set.withEach { print($0, $1 as A) }
        _ = group.filtered { (a: A) in a.x > 0 }.filtered { (a: A, b: B) in a.x > b.x }
        _ = group.filtered { (a: A, b: B, c: C) in a.x > b.x + c.x }
        _ = group.filtered(byTarget: PartOf.self) { (a: A) in a.x > 0 }
        _ = group.filtered(byTarget: PartOf.self) { (a: A, b: B, c: C) in a.x > b.x + c.x }
        """))
    expectEqual(messages, "")
  }
}
