#if SQLite
  public import ECS
  public import ECSRecipes

  /// The entities that ``StoreSession/saveWhatFits()`` could not save: all else was.
  public struct UnsavedEntities: PartlyKept, CustomStringConvertible {
    /// What was saved.
    public let report: SaveReport

    /// Why, by the entities.
    public let errors: [Entity: StoreError]

    /// The entities that were not saved.
    public var entitiesNotKept: [Entity] { Array(errors.keys) }

    /// What went wrong, in words.
    public var description: String {
      errors.values.map { "\($0)" }.sorted().joined(separator: "; ")
    }
  }

  extension StoreError {
    /// The entity that can't be a row as it is; nil if that is not why.
    var entityOfNoRow: Entity? {
      switch self {
      case .missingKey(_, let entity), .unstorable(_, _, let entity, _): entity
      default: nil
      }
    }

    /// The entity that it is about, as far as it says so.
    var entity: Entity? {
      switch self {
      case .unique(_, _, let entity), .validation(_, _, let entity), .refused(_, let entity, _),
        .foreignKey(_, let entity):
        entity
      default: entityOfNoRow
      }
    }

    /// Whether the database has refused one row, and would take others.
    var isOfOneRow: Bool {
      switch self {
      case .duplicateKey, .unique, .validation, .refused: true
      default: false
      }
    }
  }
#endif
