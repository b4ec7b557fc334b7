public import ECS

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
  var place: PartPlace?
  let access: ComponentAccess<C>

  @usableFromInline
  init(_ template: C, _ fields: [Field<C>], presentAt path: String?, _ access: ComponentAccess<C>) {
    (self.template, self.fields, self.access) = (template, fields, access)
    place = path.map(PartPlace.text)
  }

  // PERFORMANCE: Inlinable, so that components are reached by code that knows their type (P1, P2,
  // P3).

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

/// A component, usually a tag, that an entity has if a Boolean is true.
///
/// ```swift
/// Flag(Admin(), at: "admin")  // {"admin":true}
/// ```
///
/// With `true` the entity gets the component unless it has it, with `false` or `null` it loses it,
/// and without a value nothing changes. It is written as `true` or `false`.
public struct Flag<C: Component>: Sendable {
  let component: C
  var place: PartPlace

  /// Maps a component to a Boolean.
  ///
  /// - Parameters:
  ///   - component: What entities without such a component get.
  ///   - path: Where the Boolean is.
  public init(_ component: C, at path: String) {
    (self.component, place) = (component, .text(path))
  }
}

/// A component that is represented by one value, through its own transformer.
///
/// ```swift
/// Whole(Location.self, at: "geo", as: Transformer("geo URI") { … } encode: { … })
/// ```
///
/// With a value the entity gets the component, with `null` it loses it, and without a value nothing
/// changes. An equal component is not written.
public struct Whole<C: Component & Equatable>: Sendable {
  let transformer: Transformer<C>
  var place: PartPlace

  /// Maps a component to a value.
  ///
  /// - Parameters:
  ///   - component: The type of the component.
  ///   - path: Where the value is.
  ///   - transformer: What turns it into the component, and back.
  public init(_ component: C.Type, at path: String, as transformer: Transformer<C>) {
    (self.transformer, place) = (transformer, .text(path))
  }
}

/// A path that is yet to be parsed, or is already.
enum PartPlace: Sendable {
  case text(String)
  case path(JSONPath)

  func path(in recipe: String) throws(RecipeDefinitionError) -> JSONPath {
    switch self {
    case .path(let path): return path
    case .text(let text):
      do throws(JSONPathError) {
        return try JSONPath(text)
      } catch {
        throw RecipeDefinitionError(recipe: recipe, path: text, reason: .badPath(error))
      }
    }
  }
}
