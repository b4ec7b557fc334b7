import ECS
import ECSRecipes

/// Changes that were not sent, as data.
struct UnsentWork {
  var changed: [(entity: Entity, resource: Resource, whole: JSONValue, edits: JSONValue)] = []
  var deleted: [(key: JSONValue, resource: Resource)] = []
}

// What data says by the way.
extension Remote {
  // What waits to be sent, and what data about an entity, or about anything, might overwrite:
  // others that are nested in it, and the entity as another resource has it. Only what the data
  // reaches is looked at, however much waits. In a section of the context.
  func unsentWork(
    besides entity: Entity?, _ resource: Resource, about records: [JSONValue],
    leavingOut given: [Entity] = []
  ) -> UnsentWork {
    var work = UnsentWork()
    if outbox.isEmpty { return work }
    var reach = UnsentReach(self)
    if let entity { reach.add(outbox.mutations(of: entity)) }
    if resource.hasRelations {
      for record in records { reach.visit(record, resource.recipe, entity) }
    }
    for mutation in reach.mutations where !given.contains(mutation) {
      guard let value = mutation.get(RemoteMutation.self),
        let other = outbox.resource(named: value.resource)
      else { continue }
      if value.kind == .delete {
        work.deleted.append((value.key, other))
      } else if let owner = mutation.target(Mutates.self),
        owner != entity || other.name != resource.name, let whole = try? written(owner, other)
      {
        let isOpen = value.attempts == 0 && value.base != .null
        let edits = isOpen ? other.edits(in: whole, since: value.base) ?? .object([:]) : whole
        work.changed.append((owner, other, whole: whole, edits: edits))
      }
    }
    return work
  }

  // Makes it what it was again, as far as that was overwritten. In the same section.
  func restoring(_ work: UnsentWork, _ resource: Resource) throws(RemoteError) {
    do throws(RecipeError) {
      for (entity, resource, whole, edits) in work.changed where entity.isHere(in: context) {
        let now = try mapper.decompose(entity, with: resource.recipe)
        if now != whole { _ = try mapper.update(entity, with: resource.recipe, from: edits) }
      }
      for (key, resource) in work.deleted where key != .null {
        try mapper.entity(withKey: key, of: resource.recipe)?.destroy()
      }
    } catch {
      throw resource.error(error, below: resource.path)
    }
  }
}

/// Finds the mutations of what data reaches through the relations of a recipe.
private struct UnsentReach {
  private let remote: Remote
  private var seen: Set<Entity> = []
  private(set) var mutations: [Entity] = []

  init(_ remote: Remote) { self.remote = remote }

  mutating func add(_ found: [Entity]) {
    for mutation in found where seen.insert(mutation).inserted { mutations.append(mutation) }
  }

  // Visits what a record nests, but for the record's own entity.
  mutating func visit(_ record: JSONValue, _ recipe: Recipe, _ entity: Entity?) {
    let relations = recipe.relations
    if relations.isEmpty { return }
    let owner = entity ?? holder(of: record, recipe)
    for relation in relations {
      guard let value = record[relation.path] else { continue }
      let present = isNamed(relation) ? [] : owner.map(relation.targets) ?? []
      for target in present { add(remote.outbox.mutations(of: target)) }
      let elements = relation.isMany ? value.array ?? [] : [value]
      for (position, element) in elements.enumerated() where element != .null {
        let next = position < present.count ? present[position] : nil
        visit(element, relation, present: next)
      }
    }
  }

  // Whether a relation names others, which that does not change. But one that is deleted here would
  // be made again by its name.
  private func isNamed(_ relation: RecipeRelation) -> Bool {
    guard relation.form == .key, case .targets = relation.link.kind else { return false }
    return true
  }

  private func isDeletion(_ mutation: Entity) -> Bool {
    mutation.get(RemoteMutation.self)?.kind == .delete
  }

  private mutating func visit(
    _ element: JSONValue, _ relation: RecipeRelation, present: Entity?
  ) {
    let recipe = relation.recipe
    guard var record = relation.entityData(in: element), record != .null else { return }
    if relation.form == .key, let path = recipe.key?.path { record = record.wrapped(at: path) }
    let address = Outbox.Address(record, of: recipe)
    if let address {
      add(remote.outbox.mutations(at: address).filter { !isNamed(relation) || isDeletion($0) })
    }
    if isNamed(relation) { return }
    guard let target = address == nil ? present : holder(of: record, recipe) else { return }
    add(remote.outbox.mutations(of: target))
    // The entity that it belonged to loses it.
    if case .sources(let type) = relation.link.kind, let single = type as? any ToOneRelation.Type,
      let owner = UnsentReach.target(of: target, single)
    {
      add(remote.outbox.mutations(of: owner))
    }
    guard relation.form == .object else { return }
    let changes = try? remote.mapper.wouldChange(target, with: recipe, from: record)
    if changes != false { addOwners(of: target, recipe) }
    visit(record, recipe, target)
  }

  /// Those in which an entity that changes is nested by their own recipes.
  private mutating func addOwners(of target: Entity, _ recipe: Recipe) {
    for resource in remote.outbox.allResources where resource.hasRelations {
      for relation in resource.recipe.relations
      where relation.form == .object && relation.recipe.key?.component == recipe.key?.component {
        let owners =
          switch relation.link.kind {
          case .targets(let type): UnsentReach.sources(of: target, type)
          case .sources(let type): UnsentReach.targets(of: target, type)
          case .field, .custom: [Entity]()
          }
        for owner in owners { add(remote.outbox.mutations(of: owner)) }
      }
    }
  }

  private func holder(of record: JSONValue, _ recipe: Recipe) -> Entity? {
    guard let path = recipe.key?.path, let key = record[path], key != .null else { return nil }
    return (try? remote.mapper.entity(withKey: key, of: recipe)) ?? nil
  }

  private static func target<R: ToOneRelation>(of entity: Entity, _ relation: R.Type) -> Entity? {
    entity.target(R.self)
  }

  private static func sources<R: Relation>(of entity: Entity, _ relation: R.Type) -> [Entity] {
    Array(entity.sources(R.self).entities())
  }

  private static func targets<R: Relation>(of entity: Entity, _ relation: R.Type) -> [Entity] {
    Array(entity.targets(R.self).entities())
  }
}
