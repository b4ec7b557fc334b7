#if Inspector
  import ECS
  import ECSSnapshots
  import JSONValues

  extension ShownContext {
    /// Gives an entity a value, as one section whose cause is the inspector.
    func set(
      _ name: String, of entity: Entity, to json: JSONValue
    ) throws(Failure) -> JSONValue {
      let context = try living()
      guard let schema,
        let cid = try single(schema.cids, name, or: EntityPages(context).cids)
      else {
        throw Failure(409, "\(name.prefix(100)) is not in the schema that \(self.name) was given")
      }
      let value: any Component
      do throws(SnapshotError) {
        value = try schema.value(of: cid, json) { try? EntityPages(context).entity($0) }
      } catch {
        throw Failure(400, "\(error)")
      }
      try context.perform("inspector") { () throws(Failure) in
        try checkIsAlive(entity)
        try checkKeys(value, of: entity, in: context)
        try checkHolder(cid, entity, in: context)
        try checkRequired(cid, of: entity, in: context)
        value.give(to: entity)
      }
      return .object(["value": .shown(value, in: context, schema)])
    }

    /// Takes a component away.
    func remove(_ name: String, of entity: Entity) throws(Failure) {
      let context = try living()
      try context.perform("inspector") { () throws(Failure) in
        try checkIsAlive(entity)
        let cids = ContextInspection(context).components(of: entity)
        guard let cid = try single(cids, name, or: EntityPages(context).cids) else {
          throw Failure.unknown("component \(name.prefix(100)) of \(entity.label)")
        }
        entity.remove(cid)
        if entity.isAlive, entity.has(cid) {
          throw Failure(409, "another component of \(entity.label) requires \(cid)")
        }
      }
    }

    /// Destroys an entity, unless a relation denies it.
    func destroy(_ entity: Entity) throws(Failure) {
      let context = try living()
      try context.perform("inspector") { () throws(Failure) in
        try checkIsAlive(entity)
        do throws(DestructionDenied) {
          try entity.destroyIfAllowed()
        } catch {
          throw Failure(409, "\(error)")
        }
      }
    }

    /// Creates an entity without components.
    func create() throws(Failure) -> JSONValue {
      let context = try living()
      let entity = context.perform("inspector") { context.createEntity() }
      return ["id": .string(entity.label)]
    }

    // MARK: What is refused

    /// The component of a name, which other components must not have, too.
    private func single(
      _ cids: [CID], _ name: String, or others: Set<CID>
    ) throws(Failure) -> CID? {
      guard let found = cids.first(where: { $0.name == name }) else { return nil }
      guard !(cids + others).contains(where: { $0 != found && $0.name == name }) else {
        throw Failure(409, "several components are called \(name.prefix(100))")
      }
      return found
    }

    /// Components that come with another one may have keys that are taken, or be taken away from
    /// other entities.
    private func checkRequired(
      _ cid: CID, of entity: Entity, in context: Context
    ) throws(Failure) {
      if entity.has(cid) { return }
      for required in ContextInspection(context).required(by: cid, of: entity) {
        do throws(Failure) {
          try checkKeys(required, of: entity, in: context)
          try checkHolder(type(of: required).cid, entity, in: context)
        } catch {
          throw Failure(409, "\(cid) requires \(type(of: required).cid): \(error.text)")
        }
      }
    }

    private func checkIsAlive(_ entity: Entity) throws(Failure) {
      if !entity.isAlive { throw Failure(410, "the entity \(entity.label) is dead") }
    }

    /// Primary indexes stop the program for a key that is taken, or changes.
    private func checkKeys(
      _ value: any Component, of entity: Entity, in context: Context
    ) throws(Failure) {
      let hasOne = entity.has(type(of: value).cid)
      for identity in EntityRetainer(in: context).identities(of: value) {
        if let holder = identity.holder, holder != entity {
          throw Failure(409, "the entity \(holder.label) has this key")
        }
        if hasOne, identity.holder == nil {
          throw Failure(409, "the key of an entity does not change: remove the component first")
        }
      }
    }

    private func checkHolder(
      _ cid: CID, _ entity: Entity, in context: Context
    ) throws(Failure) {
      guard let type = cid.type as? any UniqueComponent.Type,
        let holder = type.holder(in: context), holder != entity
      else { return }
      throw Failure(409, "the entity \(holder.label) has the only \(cid) there can be")
    }
  }

  extension Component {
    fileprivate func give(to entity: Entity) { entity.set(self) }
  }

  extension UniqueComponent {
    fileprivate static func holder(in context: Context) -> Entity? {
      context.uniqueEntity(Self.self)
    }
  }
#endif
