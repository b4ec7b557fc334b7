#if SQLite
  public import ECS
  import ECSRecipes

  /// The entities of a table in a session of a store, as a back end.
  ///
  /// ```swift
  /// let books = StoreBackend(session, bookTable)
  /// try await books.save(book)   // as session.save()
  /// ```
  ///
  /// A session saves what has changed in its context, so some things differ from other back ends:
  /// - `save` and `delete` save all changes of the context, in one transaction, apart from those
  ///   that can't be saved: of these, one is thrown.
  /// - `list` merges what others have saved field by field, as ``StoreSession/refresh()``: edits
  ///   that were not saved stay, and so do new entities, which it lists as well. `fetch` makes an
  ///   entity what the file has.
  /// - If a deletion can't be saved, the entity is gone from the context, and its row goes with the
  ///   next save.
  ///
  /// Calls are done when they return, hold the calling thread meanwhile, and can't be cancelled.
  public struct StoreBackend<Root: Component, Key: StoreKey>: EntityBackend {
    /// The session.
    public let session: StoreSession

    /// The table.
    public let table: Table<Root, Key>

    /// What finds entities by their keys.
    public let mapper: Mapper

    private let rows: Repository<Root, Key>

    /// Makes a back end.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - table: One of its tables.
    ///   - mapper: A mapper of the session's context; a new one by default.
    /// - Precondition: The table is one of those that the store's schema was made of, and its
    ///   recipe has an identity.
    public init(_ session: StoreSession, _ table: Table<Root, Key>, mapper: Mapper? = nil) {
      require(
        table.recipe.key != nil,
        "A back end was asked for the table '\(table.name)', whose recipe has no identity: give it one."
      )
      require(
        mapper == nil || mapper?.context === session.context,
        "A back end was given a mapper of another context: pass one of the session's.")
      (self.session, self.table) = (session, table)
      self.mapper = mapper ?? Mapper(session.context)
      rows = session.repository(table)
    }

    /// The mapping of the table.
    public var recipe: Recipe { table.recipe }

    /// `store` and the name of the table.
    public var name: String { "store \(table.name)" }

    // MARK: Reading

    /// Makes an entity what its row is, unsaved edits overwritten.
    @discardableResult
    public func fetch(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
      let before = try written(entity)
      _ = try key(of: entity)
      try translating { () throws(StoreError) in
        try session.refresh()
        // What others have deleted is gone with that.
        guard entity.isAlive else { throw .notFound(table: table.name, key: "\(entity)") }
        try session.revert(entity)
      }
      return try written(entity) == before ? .unchanged : .updated
    }

    /// The entity of a key, as its row is.
    @discardableResult
    public func fetch(key: JSONValue) async throws(BackendError) -> Entity {
      try translating { () throws(StoreError) in _ = try session.refresh() }
      guard let entity = try loaded(key) else { throw BackendError(name, .notFound) }
      try await fetch(entity)
      return entity
    }

    /// All entities of the table, those of a table on request loaded from the file.
    public func list() async throws(BackendError) -> [Entity] {
      try translating { () throws(StoreError) in
        try session.refresh()
        return Array(try rows.all())
      }
    }

    // MARK: Writing

    /// Saves all changes of the context, also if the entity has no key, which is thrown then.
    ///
    /// - Returns: Whether the entity has got a key by it.
    @discardableResult
    public func save(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
      let before = try written(entity)
      try saveAll()
      _ = try key(of: entity)
      return try written(entity) == before ? .unchanged : .updated
    }

    /// Saves all changes of the context, also if one of the entities has no key, which is thrown
    /// then.
    public func save(_ entities: [Entity]) async throws(BackendError) {
      try saveAll()
      for entity in entities where entity.isAlive { _ = try key(of: entity) }
    }

    /// Destroys the entity of a key, and saves all changes of the context.
    public func delete(key: JSONValue) async throws(BackendError) {
      let entity = try loaded(key)
      do throws(DestructionDenied) {
        try entity?.destroyIfAllowed()
      } catch {
        throw BackendError(name, .refused, underlying: error)
      }
      try saveAll()
    }

    /// Saves all changes of the context.
    public func keepNotes() async throws(BackendError) { try saveAll() }

    /// Entities that have no key are reported by the call that saves them.
    private func saveAll() throws(BackendError) {
      do {
        try session.saveWhatFits()
      } catch let error as UnsavedEntities {
        let others = error.errors.values.filter { if case .missingKey = $0 { false } else { true } }
        if let first = others.min(by: { "\($0)" < "\($1)" }) { throw BackendError(name, first) }
      } catch let error as StoreError {
        throw BackendError(name, error)
      } catch {
        throw BackendError(name, .refused, underlying: error)
      }
    }

    // MARK: Entities

    /// The entity of a key, read from the file if the table is one on request.
    private func loaded(_ key: JSONValue) throws(BackendError) -> Entity? {
      let identity: AnyHashable?
      do throws(RecipeError) {
        identity = try mapper.identity(of: key, in: recipe)
      } catch {
        throw BackendError(name, .missingKey, underlying: error)
      }
      guard let key = identity?.base as? Key else {
        throw BackendError(name, .missingKey)
      }
      return try translating { () throws(StoreError) in try rows.load(key) }
    }

    private func written(_ entity: Entity) throws(BackendError) -> JSONValue {
      do throws(RecipeError) {
        return try mapper.decompose(entity, with: recipe)
      } catch {
        throw BackendError(name, error)
      }
    }

    private func translating<Value>(
      _ body: () throws(StoreError) -> Value
    ) throws(BackendError) -> Value {
      do throws(StoreError) {
        return try body()
      } catch {
        throw BackendError(name, error)
      }
    }
  }

  extension BackendError {
    /// Makes an error of what a store throws.
    init(_ backend: String, _ error: StoreError) {
      let reason: Reason
      switch error {
      case .notFound: reason = .notFound
      case .missingKey: reason = .missingKey
      case .unreadable, .corrupt, .notADatabase: reason = .unreadable
      case .locked, .full, .disk, .cannotOpen, .fileGone, .closed, .neverSaved:
        reason = .unavailable
      case .unstorable(let table, let column, _, let text):
        reason = .doesNotFit(
          RecipeError(recipe: table, path: .root, reason: .invalid("\(column): \(text)")))
      case .readOnly, .duplicateKey, .unique, .validation, .refused, .foreignKey, .conflicts,
        .newerSchema, .schemaMismatch, .migrationFailed, .badValue, .noForeignKey, .sql:
        reason = .refused
      }
      self.init(backend, reason, underlying: error)
    }
  }
#endif
