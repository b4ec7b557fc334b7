import ECS
import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct RecipeDefinitionTests {
  private func failure(
    @RecipeBuilder _ parts: () -> [RecipePart]
  ) -> RecipeDefinitionError? {
    do throws(RecipeDefinitionError) {
      _ = try Recipe("point", parts)
      return nil
    } catch {
      return error
    }
  }

  @Test func `A place that is both an object and a list is refused`() {
    let error = failure {
      Fields(of: Point()) {
        Field(\.x, at: "a.b.x")
        Field(\.y, at: "a.b[0]")
      }
    }
    expectEqual(
      error, RecipeDefinitionError(recipe: "point", path: "a.b", reason: .conflictingContainers))
    expectEqual(
      error?.description, "Recipe point, path 'a.b': it is used as an object and as a list")
  }

  @Test func `A path that leads through another one is refused`() throws {
    let longer = try JSONPath("a.b[0]")
    for (first, second) in [("a", "a.b[0]"), ("a.b[0]", "a")] {
      let error = failure {
        Fields(of: Point()) {
          Field(\.x, at: first)
          Field(\.y, at: second)
        }
      }
      expectEqual(
        error,
        RecipeDefinitionError(recipe: "point", path: "a", reason: .pathIsPrefix(of: longer)))
    }
  }

  @Test func `Two fields with one path are refused`() {
    let error = failure {
      Fields(of: Point()) {
        Field(\.x, at: "a[0]")
        Field(\.y, at: "a[0]")
      }
    }
    expectEqual(error?.reason, .pathMappedTwice)
    expectEqual(error?.path, "a[0]")
  }

  @Test func `Paths that could not be written are refused`() {
    let limit = JSONPath.maximumIndex
    let long = Array(repeating: "a", count: JSONValue.maximumDepth + 1).joined(separator: ".")
    for path in ["a[\(limit + 1)]", "a[\(Int.max)].b", long] {
      let error = failure { Fields(of: Point()) { Field(\.x, at: path) } }
      expectEqual(error?.reason, .pathTooLarge)
      expectEqual(error?.path, path)
    }
    let error = failure {
      Fields(of: Point()) {
        Field(\.x, at: "a[\(limit)]")
        Field(\.y, at: String(long.dropLast(2)).replacing("a", with: "b"))
      }
    }
    expectNil(error)
  }

  @Test func `A field that is mapped twice is refused`() {
    let error = failure {
      Fields(of: Point()) {
        Field(\.x, at: "a")
        Field(\.x, at: "b")
      }
    }
    expectEqual(
      error,
      RecipeDefinitionError(
        recipe: "point", path: "b", reason: .fieldMappedTwice("Point.x")))
  }

  @Test func `A transformer for a field without a path is refused`() {
    let error = failure {
      Fields(of: Point()) {
        Field(\.x, at: "a")
        Field.transforming(\.y, by: .fromString)
      }
    }
    expectEqual(error?.reason, .transformerForUnmappedField("Point.y"))
  }

  @Test func `A transformer beside a field replaces the one that it has`() throws {
    let recipe = try Recipe {
      Fields(of: Point()) {
        Field(\.x, at: "x")
        Field.transforming(\.x, by: .fromString)
      }
    }
    let context = Context()
    let entity = try Mapper(context).make(recipe, from: ["x": "7"])
    expectEqual(entity.get(Point.self)?.x, 7)
  }

  @Test func `A bad path is refused with its position`() {
    let error = failure { Fields(of: Point()) { Field(\.x, at: "a..b") } }
    expectEqual(
      error?.reason, .badPath(JSONPathError(reason: .missingKey, text: "a..b", position: 2)))
    expectEqual(error?.path, "a..b")
  }

  @Test func `Unmapped and second identities are refused`() {
    let unmapped = failure {
      Identity(\Point.y)
      Fields(of: Point()) { Field(\.x, at: "x") }
    }
    expectEqual(unmapped?.reason, .identityUnmapped("Point.y"))
    let twice = failure {
      Identity(\Point.x)
      Identity(\Point.x)
      Fields(of: Point()) { Field(\.x, at: "x") }
    }
    expectEqual(twice?.reason, .identityTwice)
  }

  @Test func `An identity that may be null is refused`() {
    // A plain call of that is a warning already.
    func identity<Key: Hashable & Sendable>(_ field: any KeyPath<User, Key> & Sendable)
      -> ECSRecipes.Identity
    {
      Identity(field)
    }
    let error = failure {
      identity(\User.email)
      Fields(of: User()) { Field(\.email, at: "email") }
    }
    expectEqual(error?.reason, .identityOptional("User.email"))
    expectEqual(error?.path, "email")
  }

  @Test func `A relation that is mapped twice is refused`() throws {
    let other = try Catalog.tags()
    let error = failure {
      Nested(one: other, at: "a", through: .toOne(\Author.entity, of: Author()))
      Nested(one: other, at: "b", as: .key, through: .toOne(\Author.entity, of: Author()))
    }
    expectEqual(error?.reason, .relationMappedTwice("Author\\Author.entity"))
    expectEqual(error?.path, "b")
  }

  @Test func `A component that is listed twice is refused`() {
    let error = failure {
      Fields(of: Point()) { Field(\.x, at: "x") }
      Fields(of: Point()) { Field(\.y, at: "y") }
    }
    expectEqual(error?.reason, .componentTwice("Point"))
  }

  @Test func `A relation by key needs an identity`() throws {
    let other = try Recipe("other") { Fields(of: Point()) { Field(\.x, at: "x") } }
    let error = failure {
      Nested(one: other, at: "o", as: .key, through: .toOne(\Author.entity, of: Author()))
    }
    expectEqual(error?.reason, .keyWithoutIdentity)
  }

  @Test func `Recipes that map the same are equal`() throws {
    try expectEqual(Catalog.articles(), Catalog.articles())
    try expectNotEqual(Catalog.users(), Catalog.tags())
    func points(_ path: String, _ x: Int = 0) throws -> Recipe {
      try Recipe("p") { Fields(of: Point(x: x)) { Field(\.x, at: path) } }
    }
    try expectEqual(points("a"), points("a"))
    try expectNotEqual(points("a"), points("b"))
    try expectNotEqual(points("a"), points("a", 1))
  }

  @Test func `Recipes can be built with conditions and loops`() throws {
    let wide = true
    let recipe = try Recipe {
      if wide {
        Fields(of: Point()) {
          for (field, path) in [(\Point.x, "x"), (\Point.y, "y")] { Field(field, at: path) }
        }
      }
    }
    let context = Context()
    let entity = try Mapper(context).make(recipe, from: ["x": 1, "y": 2])
    expectEqual(entity.get(Point.self)?.y, 2)
  }
}
