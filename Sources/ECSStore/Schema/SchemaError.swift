#if SQLite
  public import ECSRecipes

  /// Why tables can't be described so.
  ///
  /// It is thrown when they are described, before there is a database.
  public struct SchemaError: Error, Sendable, Hashable {
    /// A reason for an error.
    public enum Reason: Sendable, Hashable {
      /// The recipe of the table is wrong.
      case recipe(RecipeDefinitionError)

      /// A column, a link or a key is described that the recipe does not map; with its name.
      case unmappedColumn(String)

      /// Two columns have one name, upper and lower case being the same to SQL.
      case duplicateColumn(String)

      /// Two tables have one name.
      case duplicateTable(String)

      /// The key may be nil, or its component may be missing.
      case optionalKey(String)

      /// The key is no field of its own, or has no form as a key.
      case unsuitableKey(String)

      /// The recipe does not map the component that makes an entity a row; with its name.
      case rootNotMapped(String)

      /// A field is only read from data, and so can't be kept; with its name. Make it
      /// `transient()`.
      case oneWay(String)

      /// A field can't be left out, since its component is made of all fields at once; with its
      /// name.
      case notSeparable(String)

      /// A nested recipe has no table, or one without a key.
      case nestedWithoutTable(String)

      /// A recipe nests many, or by links from the other side, with a table whose rows come on
      /// request; with the path. Such tables keep links to one, in their own columns.
      case pairsOnRequest(String)

      /// Links of a relation have values, which the recipe does not map, so that there is no place
      /// for them; with the path of the relation.
      case linkValues(String)

      /// Fields or columns of the values of links are described with a table that does not keep the
      /// links; with the name of the field, and the table whose recipe nests them from the other
      /// side. Map and adjust the field there.
      case linkValuesElsewhere(String, table: String)

      /// A column or a link is adjusted so that a table of pairs can't do it; with the name of the
      /// field or of the path, and the adjustment.
      case notForPairs(String, String)

      /// A value for existing rows, or of the template, has no form in its column.
      case badValue(String, String)

      /// A name is empty, or one that SQL or the store uses itself.
      case badName(String)

      /// Two migrations lead to one version.
      case duplicateMigration(Int)

      /// A migration leads beyond the version of the schema, or to none above 0.
      case migrationBeyondVersion(Int)
    }

    /// The table; empty if it is about none.
    public let table: String

    /// The reason for the error.
    public let reason: Reason
  }

  extension SchemaError: CustomStringConvertible {
    /// What is wrong with which table, and which column.
    public var description: String {
      let text =
        switch reason {
        case .recipe(let error): "\(error)"
        case .unmappedColumn(let name): "\(name) is described, but the recipe does not map it"
        case .duplicateColumn(let name): "two columns have the name '\(name)': rename one"
        case .duplicateTable(let name): "two tables have the name '\(name)'"
        case .optionalKey(let name): "the key \(name) may be missing in a row"
        case .unsuitableKey(let name): "\(name) can't be the key"
        case .rootNotMapped(let name):
          "the recipe does not map \(name), which makes an entity a row"
        case .oneWay(let name): "\(name) is only read from data: make it transient()"
        case .notSeparable(let name): "\(name) can't be left out: map the component by Fields"
        case .nestedWithoutTable(let name): "\(name) nests a recipe that has no table with a key"
        case .pairsOnRequest(let name):
          "\(name) takes a table of pairs, which tables on request can't be in: nest one, from the other side"
        case .linkValues(let name):
          "links at \(name) have values, which the recipe does not map: say how with 'values:', or make the link transient()"
        case .linkValuesElsewhere(let name, let table):
          "\(name) is of links that the table \(table) keeps: map and adjust it there"
        case .notForPairs(let name, let adjustment):
          "\(name) is in a table of pairs, which \(adjustment) is not for"
        case .badValue(let name, let reason): "\(name): \(reason)"
        case .badName(let name): "'\(name)' can't be a name"
        case .duplicateMigration(let version): "two migrations lead to version \(version)"
        case .migrationBeyondVersion(let version):
          "a migration leads to version \(version), which the schema does not have"
        }
      return table.isEmpty ? text : "table \(table): \(text)"
    }
  }
#endif
