public import ECS
public import ECSRecipes

/// A component type that snapshots keep, and how.
///
/// ```swift
/// Stored(of: Position(x: 0, y: 0), as: "position") {
///   Field(\.x, at: "x")
///   Field(\.y, at: "y")
/// }
/// Stored(Rules.self, as: "rules")           // Codable: any type, more slowly
/// Stored(of: Selected(), as: "selected")    // a tag
/// ```
///
/// Names are those of the file: the type and its properties can be renamed without them. Values of
/// a trivial type whose fields are numbers and Booleans and fill it are copied as they are in
/// memory. Of all other types each field is a column of its own.
public struct Stored<C: Component>: Sendable {
  let name: String
  let version: Int
  let formerNames: [String]
  let form: Form
  var left: [any PartialKeyPath<C> & Sendable] = []
  var migrations: [Int: StoredFields.Migration] = [:]
  var identity: StoredIdentity<C>?

  enum Form: Sendable {
    case fields(C, [Field<C>])
    case coding(ValueCoding<C>)

    /// All components of a recipe, instead of one.
    case recipe(StoredRecipe)
  }

  init(_ name: String, version: Int = 1, formerly formerNames: [String] = [], _ form: Form) {
    (self.name, self.version, self.formerNames, self.form) = (name, version, formerNames, form)
  }

  /// Keeps the fields of a component that are listed.
  ///
  /// - Parameters:
  ///   - prototype: Gives fields that are not in a snapshot their values.
  ///   - name: What the component is called in snapshots.
  ///   - version: Grows when what the fields mean changes so that it takes a migration.
  ///   - formerNames: What it was called before.
  ///   - fields: The fields, by the vocabulary of recipes; none for a tag.
  public init(
    of prototype: C, as name: String, version: Int = 1, formerly formerNames: String...,
    @FieldsBuilder<C> fields: () -> [Field<C>] = { [] }
  ) {
    (self.name, self.version, self.formerNames) = (name, version, formerNames)
    form = .fields(prototype, fields())
  }

  /// Keeps a component in the form that its `Codable` conformance gives it.
  ///
  /// For types whose fields can't be listed: much slower than fields.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - name: What the component is called in snapshots.
  ///   - version: Grows when what the keys mean changes so that it takes a migration.
  ///   - formerNames: What it was called before.
  public init(
    _ type: C.Type, as name: String, version: Int = 1, formerly formerNames: String...
  ) where C: Codable {
    (self.name, self.version, self.formerNames) = (name, version, formerNames)
    form = .coding(ValueCoding())
  }

  /// Says that stored properties are left out of snapshots on purpose; they take the values of the
  /// prototype.
  public func leaving(_ properties: any PartialKeyPath<C> & Sendable...) -> Stored {
    var stored = self
    stored.left += properties
    return stored
  }

  /// Says how fields of an earlier version become those of the next one.
  ///
  /// Values of that version and before go through all migrations from there on, by name and as
  /// data, since the types that they had may be gone:
  ///
  /// ```swift
  /// Stored(of: Title(), as: "title", version: 2) { Field(\.text, at: "text") }
  ///   .migrating(from: 1) { old in old["text"] = old["name"] }
  /// ```
  ///
  /// Fields that were only added, removed, or made wider or optional need no migration.
  ///
  /// - Parameters:
  ///   - version: The earlier version.
  ///   - change: Changes the fields of a value. It may be called several times for each.
  /// - Returns: The component with the migration.
  public func migrating(
    from version: Int, _ change: @escaping @Sendable (inout StoredFields) -> Void
  ) -> Stored {
    var stored = self
    stored.migrations[version] = change
    return stored
  }

  /// Says that a field identifies entities: no two entities of a snapshot have the same value of
  /// it.
  ///
  public func identified<Key: Hashable & Sendable>(
    by field: any KeyPath<C, Key> & Sendable
  ) -> Stored {
    var stored = self
    stored.identity = StoredIdentity(field)
    return stored
  }
}

/// Which key a component has.
struct StoredIdentity<C: Component>: Sendable {
  let keyPath: any PartialKeyPath<C> & Sendable
  let key: @Sendable (C) -> AnyHashable

  init<Key: Hashable & Sendable>(_ field: any KeyPath<C, Key> & Sendable) {
    let reader = FieldReader(field)
    keyPath = field
    if Key.self == String.self {
      // Texts are compared byte by byte.
      key = { AnyHashable(TextKey(reader.get($0) as? String ?? "")) }
    } else {
      key = { AnyHashable(reader.get($0)) }
    }
  }
}
