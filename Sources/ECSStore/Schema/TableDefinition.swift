#if SQLite
  import ECS
  import ECSRecipes

  /// A column of a field, or one that says whether there is a component.
  struct FieldColumnDefinition: Sendable {
    var description: ColumnDescription

    /// Where the field stands in data; nil if it says whether there is a component.
    var path: JSONPath?

    /// The field, and its number among those of its component.
    var keyPath: (any AnyKeyPath & Sendable)?
    var field = 0

    /// The number of the component among those of the table.
    var component: Int

    /// Its place in the key; nil if it is not part of it.
    var keyIndex: Int?
    var isIndexed = false

    /// What rows get that are there when the column comes; nil for the default.
    var valueForExistingRows: RowValue?
  }

  /// A component of a table.
  struct ComponentDefinition: Sendable {
    var layout: ComponentLayout
    var name: String
    var make: @Sendable () -> any ComponentColumn
  }

  /// The checked description of a table, by itself.
  final class TableDefinition: Sendable {
    enum Key: Sendable {
      case none
      case fields([any AnyKeyPath & Sendable])
      case generated(any AnyKeyPath & Sendable)
    }

    struct IndexDefinition: Sendable, Hashable {
      var columns: [String]
      var isUnique: Bool
    }

    struct LinkAdjustment: Sendable {
      var name: String?
      var isUnique = false
      var isNotNull = false
      var isTransient = false
      var pairColumns: (owner: [String], nested: [String])?
    }

    let recipe: Recipe
    let root: CID
    let key: Key
    let components: [ComponentDefinition]
    let columns: [FieldColumnDefinition]
    let indexes: [IndexDefinition]

    /// By the relations.
    let links: [ObjectIdentifier: LinkAdjustment]

    /// The columns of the values of links, by the paths of the relations.
    let linkColumns: [JSONPath: LinkColumns]

    /// The names of the fields of values that adjustments are about, by the paths of the relations.
    let adjustedValues: [JSONPath: Set<String>]

    /// Whether rows become entities when they are asked for, and not all at once.
    let isOnRequest: Bool

    var name: String { recipe.name }

    /// The component of an entity that is to be a row but has no key, if the root holds the key
    /// alone.
    let keyless: CID?

    /// The numbers of the columns of the key, in its order.
    var keyColumns: [Int] {
      columns.indices.filter { columns[$0].keyIndex != nil }
        .sorted { columns[$0].keyIndex ?? 0 < columns[$1].keyIndex ?? 0 }
    }

    var isGenerated: Bool { if case .generated = key { true } else { false } }

    static func makeRecipe(
      _ name: String, identity: ECSRecipes.Identity?, _ parts: [RecipePart]
    ) throws(SchemaError) -> Recipe {
      do throws(RecipeDefinitionError) {
        guard let identity else { return try Recipe(name) { parts } }
        do throws(RecipeDefinitionError) {
          return try Recipe(name) {
            parts
            identity
          }
        } catch {
          // The parts have one, which the key is compared with.
          guard error.reason == .identityTwice else { throw error }
          return try Recipe(name) { parts }
        }
      } catch {
        throw SchemaError(table: name, reason: .recipe(error))
      }
    }

    init(
      _ recipe: Recipe, root: any Component.Type, key: Key, adjustments: [ColumnAdjustment]
    ) throws(SchemaError) {
      (self.recipe, self.root, self.key) = (recipe, root.cid, key)
      var builder = TableBuilder(recipe, root.cid, key)
      try builder.checkName(recipe.name, isTable: true)
      for component in recipe.components { try builder.add(component, adjustments) }
      for relation in recipe.relations { try builder.add(relation, adjustments) }
      try builder.finish(adjustments)
      (components, columns) = (builder.components, builder.columns)
      (indexes, links, linkColumns) = (builder.indexes, builder.links, builder.linkColumns)
      adjustedValues = builder.adjustedValues
      isOnRequest = false
      keyless = builder.keyless
    }

    /// The same table, whose rows become entities when they are asked for.
    init(onRequest other: TableDefinition) {
      (recipe, root, key) = (other.recipe, other.root, other.key)
      (components, columns) = (other.components, other.columns)
      (indexes, links, linkColumns) = (other.indexes, other.links, other.linkColumns)
      adjustedValues = other.adjustedValues
      isOnRequest = true
      keyless = other.keyless
    }
  }
#endif
