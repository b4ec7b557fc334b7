public import ECS

/// One part of a recipe; made from ``Fields``, ``AutomaticFields``, ``Flag``, ``Whole``,
/// ``Identity`` or ``Nested``.
public struct RecipePart: Sendable {
  enum Content: Sendable {
    case component(any ComponentPart)
    case identity(any IdentityMapping)
    case nested(Nested)
  }

  let content: Content
}

/// Parts that belong together, to be listed in several recipes.
///
/// ```swift
/// struct Timestamps: RecipeFragment {
///   var parts: [RecipePart] {
///     Fields(of: Created()) { Field(\.date, at: "created_at", as: .iso8601) }
///     Fields(of: Updated()) { Field(\.date, at: "updated_at", as: .iso8601) }
///   }
/// }
/// let posts = try Recipe("post") {
///   Timestamps()
///   …
/// }
/// ```
public protocol RecipeFragment: Sendable {
  /// The parts.
  @RecipeBuilder var parts: [RecipePart] { get }
}

/// Lists the parts of a recipe.
@resultBuilder
public enum RecipeBuilder {
  /// Takes the fields of a component.
  public static func buildExpression<C: Component>(_ fields: Fields<C>) -> [RecipePart] {
    [RecipePart(content: .component(fields))]
  }

  /// Takes all fields of a component.
  public static func buildExpression<C: Component & Codable>(
    _ fields: AutomaticFields<C>
  ) -> [RecipePart] {
    [RecipePart(content: .component(fields))]
  }

  /// Takes a component that comes and goes.
  public static func buildExpression<C: Component>(_ flag: Flag<C>) -> [RecipePart] {
    [RecipePart(content: .component(flag))]
  }

  /// Takes a component that is represented by one value.
  public static func buildExpression<C: Component & Equatable>(_ whole: Whole<C>) -> [RecipePart] {
    [RecipePart(content: .component(whole))]
  }

  /// Takes the identity.
  public static func buildExpression(_ identity: Identity) -> [RecipePart] { identity.parts }

  /// Takes a relation to other entities.
  public static func buildExpression(_ nested: Nested) -> [RecipePart] {
    [RecipePart(content: .nested(nested))]
  }

  /// Takes parts that belong together.
  public static func buildExpression(_ fragment: some RecipeFragment) -> [RecipePart] {
    fragment.parts
  }

  /// Takes parts that are listed elsewhere.
  public static func buildExpression(_ parts: [RecipePart]) -> [RecipePart] { parts }

  /// Joins the parts.
  public static func buildBlock(_ parts: [RecipePart]...) -> [RecipePart] { parts.flatMap(\.self) }

  /// Takes parts that are listed under a condition.
  public static func buildOptional(_ parts: [RecipePart]?) -> [RecipePart] { parts ?? [] }

  /// Takes the parts of a true condition.
  public static func buildEither(first parts: [RecipePart]) -> [RecipePart] { parts }

  /// Takes the parts of a false condition.
  public static func buildEither(second parts: [RecipePart]) -> [RecipePart] { parts }

  /// Takes parts that are listed in a loop.
  public static func buildArray(_ parts: [[RecipePart]]) -> [RecipePart] { parts.flatMap(\.self) }
}

/// A part that maps a component, as it was given: recipes are derived from parts.
protocol ComponentPart: Sendable {
  var cid: CID { get }

  /// Checks the part and makes what maps by it.
  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping

  /// The part without the fields at some paths; nil if nothing is left of it.
  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self?

  /// The part with fields at other paths.
  func moving(_ paths: [JSONPath: JSONPath], in recipe: String) throws(RecipeDefinitionError)
    -> Self

  /// The part with the fields of another one of the same component; nil if they can't be joined.
  func joined(with other: any ComponentPart) -> (any ComponentPart)?
}

extension ComponentPart {
  func joined(with other: any ComponentPart) -> (any ComponentPart)? { nil }
}

extension Fields: ComponentPart {
  var cid: CID { C.cid }

  private func base(in recipe: String) throws(RecipeDefinitionError) -> JSONPath? {
    guard let place else { return nil }
    return try place.path(in: recipe)
  }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    let base = try base(in: recipe)
    return FieldwiseMapping(
      try FieldsMapping(fields, template: template, recipe: recipe, below: base ?? .root),
      presence: base, access)
  }

  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    let base = try base(in: recipe)
    if let base, paths.contains(base) { return nil }
    var part = self
    part.fields = []
    var removed: Set<AnyKeyPath> = []
    for field in fields where field.path != nil || field.parsedPath != nil {
      if paths.contains(try field.place(in: recipe, below: base ?? .root)) {
        removed.insert(field.keyPath)
      }
    }
    part.fields = fields.filter { !removed.contains($0.keyPath) }
    return part.fields.isEmpty && base == nil ? nil : part
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    let base = try base(in: recipe) ?? .root
    var part = self
    for (number, field) in fields.enumerated() where field.path != nil || field.parsedPath != nil {
      if let path = paths[try field.place(in: recipe, below: base)] {
        part.fields[number] = field.moved(to: path)
      }
    }
    if place != nil, let path = paths[base] { part.place = .path(path) }
    return part
  }

  func joined(with other: any ComponentPart) -> (any ComponentPart)? {
    guard let other = other as? Fields<C>, other.place == nil else { return nil }
    var part = self
    part.fields += other.fields
    return part
  }
}

extension AutomaticFields: ComponentPart {
  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try AutomaticMapping(self, recipe: recipe)
  }

  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    let properties = try AutomaticMapping(self, recipe: recipe).properties
    var part = self
    part.excluded.formUnion(properties.filter { paths.contains($0.leaf.path) }.map(\.name))
    return part.excluded.count == properties.count + excluded.count ? nil : part
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    var part = self
    for property in try AutomaticMapping(self, recipe: recipe).properties {
      if let path = paths[property.leaf.path] { part.moved[property.name] = path }
    }
    return part
  }
}

extension Flag: ComponentPart {
  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try FlagMapping(self, recipe: recipe)
  }

  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    paths.contains(try place.path(in: recipe)) ? nil : self
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    var part = self
    if let path = paths[try place.path(in: recipe)] { part.place = .path(path) }
    return part
  }
}

extension Whole: ComponentPart {
  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try WholeMapping(self, recipe: recipe)
  }

  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    paths.contains(try place.path(in: recipe)) ? nil : self
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    var part = self
    if let path = paths[try place.path(in: recipe)] { part.place = .path(path) }
    return part
  }
}
