public import ECS
import JSONValues

/// The field that identifies the entity that data is about.
///
/// ```swift
/// Identity(\User.id, at: "id")                                 // next to other fields of User
/// Identity(\UserID.value, at: "id", of: UserID(value: 0))      // a separate component
/// Identity(\UserID.value, at: "id", make: UserID.init(value:)) // whose key is a `let`
/// ```
///
/// It must not be optional. The same key always gives the same entity, through a primary index; see
/// ``Mapper``.
public struct Identity: Sendable {
  let parts: [RecipePart]

  @usableFromInline
  init<C: Component, Key: Hashable & Sendable>(
    _ identity: KeyPathIdentity<C, Key>, beside part: RecipePart? = nil
  ) {
    parts = (part.map { [$0] } ?? []) + [RecipePart(content: .identity(identity))]
  }

  // PERFORMANCE: Inlinable, so that indexes are made by code specialized for their types (P1, P2).

  /// Names a field that is mapped by ``Fields``.
  @inlinable
  public init<C: Component, Key: Hashable & Sendable>(_ field: any KeyPath<C, Key> & Sendable) {
    self.init(KeyPathIdentity(field: field))
  }

  /// Names an optional field, which can't be an identity: making the recipe throws
  /// ``RecipeDefinitionError/Reason/identityOptional(_:)``.
  @available(
    *, deprecated,
    message:
      "An identity can't be optional: put the key into a component that entities without it lack, as Identity(\\UserID.value, at:of:)."
  )
  public init<C: Component, Key: Hashable & Sendable>(_ field: any KeyPath<C, Key?> & Sendable) {
    self.init(KeyPathIdentity(field: field))
  }

  /// Maps a field whose type needs no transformer, and makes it the identity.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - path: Where it is in the data.
  ///   - template: What a new component starts from. It may be left out if the recipe has
  ///     ``Fields`` of the component, which then gives it.
  @inlinable
  public init<C: Component, Key: RecipeValue & Hashable>(
    _ field: any WritableKeyPath<C, Key> & Sendable, at path: String, of template: C? = nil
  ) {
    self.init(field, at: path, as: Key.transformer, of: template)
  }

  /// Maps a field through a transformer, and makes it the identity.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - path: Where it is in the data.
  ///   - transformer: What turns data into keys, and back.
  ///   - template: What a new component starts from. It may be left out if the recipe has
  ///     ``Fields`` of the component, which then gives it.
  @inlinable
  public init<C: Component, Key: Hashable & Sendable>(
    _ field: any WritableKeyPath<C, Key> & Sendable, at path: String,
    as transformer: Transformer<Key>, of template: C? = nil
  ) {
    self.init(
      KeyPathIdentity(field: field),
      beside: .key(Field(keyPath: field, transformer, at: path), of: template))
  }

  /// Maps a key that its component is made from, such as a `let` property, and makes it the
  /// identity.
  ///
  /// - Parameters:
  ///   - field: The field. The recipe can have no other fields of its component.
  ///   - path: Where it is in the data.
  ///   - make: Makes the component.
  @inlinable
  public init<C: Component, Key: RecipeValue & Hashable>(
    _ field: any KeyPath<C, Key> & Sendable, at path: String,
    make: @escaping @Sendable (Key) -> C
  ) {
    self.init(field, at: path, as: Key.transformer, make: make)
  }

  /// Maps, through a transformer, a key that its component is made from, and makes it the identity.
  ///
  /// - Parameters:
  ///   - field: The field. The recipe can have no other fields of its component.
  ///   - path: Where it is in the data.
  ///   - transformer: What turns data into keys, and back.
  ///   - make: Makes the component.
  @inlinable
  public init<C: Component, Key: Hashable & Sendable>(
    _ field: any KeyPath<C, Key> & Sendable, at path: String, as transformer: Transformer<Key>,
    make: @escaping @Sendable (Key) -> C
  ) {
    self.init(
      KeyPathIdentity(field: field), beside: .key(field, at: path, as: transformer, make: make))
  }
}

extension RecipePart {
  @usableFromInline
  static func key<C: Component>(_ field: Field<C>, of template: C?) -> RecipePart {
    RecipePart(content: .component(KeyField(field: field, template: template)))
  }

  @usableFromInline
  static func key<C: Component, Key: Hashable & Sendable>(
    _ field: any KeyPath<C, Key> & Sendable, at path: String, as transformer: Transformer<Key>,
    make: @escaping @Sendable (Key) -> C
  ) -> RecipePart {
    RecipePart(
      content: .component(
        MadeKey(keyPath: field, location: .text(path), transformer: transformer, make: make)))
  }
}

/// The name of a field in messages, such as `Article.title`.
func name<Root, Value>(of keyPath: KeyPath<Root, Value>) -> String {
  "\(Root.self).\("\(keyPath)".drop { $0 != "." }.dropFirst())"
}

/// A part that is the identity, which may be joined with the fields of its component.
protocol KeyPart: ComponentPart {}

/// A field that is an identity, to be joined with the others of its component.
struct KeyField<C: Component>: KeyPart {
  var field: Field<C>
  let template: C?

  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    guard let template else {
      throw RecipeDefinitionError(
        recipe: recipe, path: field.path ?? "", reason: .identityWithoutTemplate(field.name))
    }
    return try Fields(of: template) { field }.mapping(in: recipe)
  }

  func joined(with other: any ComponentPart) -> (any ComponentPart)? {
    guard var fields = other as? Fields<C> else { return nil }
    var field = field
    field.isAbsolute = true
    fields.fields.insert(field, at: 0)
    return fields
  }

  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    paths.contains(try field.path(in: recipe, below: .root)) ? nil : self
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    var part = self
    if let path = paths[try field.path(in: recipe, below: .root)] {
      part.field = field.moved(to: path)
    }
    return part
  }
}
