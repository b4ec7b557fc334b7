public import ECS
import JSONValues

/// The fields of one component, listed one by one.
///
/// ```swift
/// Fields(of: Article(title: "", body: nil)) {
///   Field(\.title, at: "title").required()
///   Field(\.body, at: "text.body")
/// }
/// ```
///
/// A component that comes and goes with the data has its own object, which contains its fields:
///
/// ```swift
/// Fields(of: Shipping(), presentAt: "shipping") {
///   Field(\.street, at: "street")  // shipping.street
/// }
/// ```
public struct Fields<C: Component>: Sendable {
  let template: C
  var fields: [Field<C>]
  var location: PartLocation?
  let access: ComponentAccess<C>

  @usableFromInline
  init(_ template: C, _ fields: [Field<C>], presentAt path: String?, _ access: ComponentAccess<C>) {
    (self.template, self.fields, self.access) = (template, fields, access)
    location = path.map(PartLocation.text)
  }

  // PERFORMANCE: Inlinable, so that components are reached by code specialized for their type (P1,
  // P2, P3).

  /// Lists the fields of a component.
  ///
  /// - Parameters:
  ///   - template: What a new component starts from: the values of fields that the data lacks.
  ///   - fields: The fields.
  @inlinable
  public init(of template: C, @FieldsBuilder<C> _ fields: () -> [Field<C>]) {
    self.init(template, fields(), presentAt: nil, ComponentAccess())
  }

  /// Lists the fields of a component that comes and goes with an object in the data.
  ///
  /// With an object, even an empty one, the entity gets the component; with `null` it loses it; if
  /// there is nothing at the path, nothing changes.
  ///
  /// - Parameters:
  ///   - template: What a new component starts from: the values of fields that the data lacks.
  ///   - path: Where the object is.
  ///   - fields: The fields, with paths below that object.
  @inlinable
  public init(
    of template: C, presentAt path: String, @FieldsBuilder<C> _ fields: () -> [Field<C>]
  ) {
    self.init(template, fields(), presentAt: path, ComponentAccess())
  }
}

extension Fields: ComponentPart {
  var cid: CID { C.cid }

  private func base(in recipe: String) throws(RecipeDefinitionError) -> JSONPath? {
    guard let location else { return nil }
    return try location.path(in: recipe)
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
      if paths.contains(try field.path(in: recipe, below: base ?? .root)) {
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
    for (index, field) in fields.enumerated() where field.path != nil || field.parsedPath != nil {
      if let path = paths[try field.path(in: recipe, below: base)] {
        part.fields[index] = field.moved(to: path)
      }
    }
    if location != nil, let path = paths[base] { part.location = .path(path) }
    return part
  }

  func joined(with other: any ComponentPart) -> (any ComponentPart)? {
    guard let other = other as? Fields<C>, other.location == nil else { return nil }
    var part = self
    part.fields += other.fields
    return part
  }
}
