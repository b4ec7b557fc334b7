#if Inspector
  import ECS
  import ECSSnapshots
  import JSONValues
  import Synchronization

  extension ShownContext {
    /// How often a value is looked at again if the program changes it while it is being set.
    private static var mostTries: Int { 100 }

    /// Gives an entity a value, as one section whose cause is the inspector.
    func set(
      _ name: String, of entity: Entity, to json: JSONValue, if condition: EditCondition
    ) throws(Failure) -> JSONValue {
      let context = try living()
      guard let schema,
        let cid = try single(schema.cids, name, or: EntityPages(context).cids)
      else {
        throw Failure(409, "\(name.prefix(100)) is not in the schema that \(self.name) was given")
      }
      // The program's own code reads and writes values, and so outside of sections: what changes
      // meanwhile is noted.
      let isChanged = Flag()
      let subscription = cid.type.journal(in: context).observe(name: "inspector") { commit in
        if commit.contains(where: { $0.entity == entity }) { isChanged.set(true) }
      }
      defer { subscription.cancel() }
      for _ in 0..<ShownContext.mostTries {
        isChanged.set(false)
        let present = cid.value(of: entity)
        try condition.check(
          present, present.flatMap { EditableValue($0, in: context, schema) }, cid, of: entity)
        let value = try value(of: cid, json, base: present, schema, in: context)
        let isSet = try context.perform("inspector") { () throws(Failure) in
          try checkIsAlive(entity)
          if isChanged.isSet { return false }
          try checkKeys(value, of: entity, in: context)
          try checkHolder(cid, entity, in: context)
          try checkRequired(cid, of: entity, in: context)
          value.give(to: entity)
          return true
        }
        if isSet {
          return .object([
            "value": .shown(value, in: context, EditableValue(value, in: context, schema))
          ])
        }
      }
      throw Failure(409, "\(cid) of \(entity.label) changes all the time: pause what changes it")
    }

    private func value(
      of cid: CID, _ json: JSONValue, base: (any Component)?, _ schema: Schema,
      in context: Context
    ) throws(Failure) -> any Component {
      do throws(SnapshotError) {
        return try schema.value(of: cid, json, base: base) {
          try? EntityPages(context).entity($0)
        }
      } catch {
        throw Failure(400, "\(error)")
      }
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

    fileprivate static func journal(in context: Context) -> Journal {
      context.journal(of: Self.self)
    }
  }

  /// A mark that the sections of other threads make.
  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set(_ isSet: Bool) { value.store(isSet, ordering: .releasing) }
  }

  extension UniqueComponent {
    fileprivate static func holder(in context: Context) -> Entity? {
      context.uniqueEntity(Self.self)
    }
  }
#endif
