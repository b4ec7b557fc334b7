import ECS
import JSONValues

/// An applier of records, and of those nested in them, that needs no plan.
///
/// What it does is what a ``ChangePlan`` would do, in the same order. Where that would refuse a
/// record, or where two records of a tree are about one entity, it does nothing and leaves the tree
/// to the plan.
///
/// Made and used in one critical section of the context.
// PERFORMANCE: Most trees name each entity once, apart from keys, so that nothing has to be merged
// (P1, P2, P4).
struct RecordApplier {
  /// An entity that a tree is about, there already or to be made.
  private struct Slot {
    var entity: Entity?
    let isNew: Bool

    /// The record that says most about it.
    var node: Int
  }

  let mapper: Mapper
  let layout: RecordLayout

  /// The index of the identity of each kind, nil if it has none or there is none yet.
  private var indexes: [IdentityIndex?]

  /// In the order of the tree.
  private var slots: [Slot] = []

  /// The slot of each record of the tree.
  private var slotNumbers: [Int] = []

  /// The targets of the relation that is looked at.
  private var linked: [Int] = []

  /// The number of records of a tree; each entity is compared with all others.
  private static let maximumCount = 64

  /// Nil if records need a plan.
  init?(_ mapper: Mapper, _ layout: RecordLayout) {
    (self.mapper, self.layout) = (mapper, layout)
    indexes = []
    indexes.reserveCapacity(layout.kinds.count)
    for kind in layout.kinds {
      // An index over something else has to be asked whether its key is free.
      for (index, mapping) in kind.mappings.enumerated() {
        let own = index == kind.identityPosition.mapping ? kind.identity?.number : nil
        let others = mapper.indexes.indexes(of: mapping.cid)
        guard others.allSatisfy({ $0.number == own }) else { return nil }
      }
      for relation in kind.relations {
        guard let component = relation.link.component else { continue }
        guard mapper.indexes.indexes(of: component.cid).isEmpty else { return nil }
      }
      indexes.append(kind.identity.flatMap { mapper.indexes.index(of: $0) })
    }
  }

  /// The entities that the last tree said something about, or named.
  var mentioned: some Sequence<Entity> { slots.lazy.compactMap(\.entity) }

  // MARK: Records

  /// Makes or updates the entities of a tree; nil, without a change, if it needs a plan.
  mutating func apply(_ tree: RecordTree) -> (entity: Entity, outcome: RecipeOutcome)? {
    switch tree {
    case .one(let patches): return apply(patches)
    case .many(let nodes):
      begin(nodes)
      guard resolve(nodes, 0, present: nil), isComplete(nodes) else { return nil }
      return apply(nodes)
    }
  }

  /// Changes an entity, and those nested in it, to what a tree says; nil, without a change, if that
  /// needs a plan.
  mutating func update(_ entity: Entity, by tree: RecordTree) -> RecipeOutcome? {
    guard entity.isAlive, entity.belongs(to: mapper.context) else { return nil }
    switch tree {
    case .one(let patches):
      return keepsKey(of: entity, patches) ? update(entity, by: patches) : nil
    case .many(let nodes):
      guard keepsKey(of: entity, nodes[0].patches) else { return nil }
      begin(nodes)
      guard add(nodes, 0, entity), isComplete(nodes) else { return nil }
      return apply(nodes).outcome
    }
  }

  // One without a key could get one, and one with another key could lose it.
  private mutating func keepsKey(of entity: Entity, _ patches: RecordPatches) -> Bool {
    let kind = layout.kinds[0]
    guard let identity = kind.identity else { return true }
    guard entity.has(identity.cid) else { return false }
    let field = kind.identityPosition.field
    guard let patch = patches[kind.identityPosition.mapping], patch.says(field) else { return true }
    return index(ofKind: 0)?.findByPatch(patch, field) == entity
  }

  private mutating func begin(_ nodes: [RecordTree.Node]) {
    slots.removeAll(keepingCapacity: true)
    slotNumbers.removeAll(keepingCapacity: true)
    for _ in nodes.indices { slotNumbers.append(0) }
  }

  /// Nil if there is none yet: the plan of the first record with a key makes it, which is seen from
  /// outside even if it fails.
  mutating func index(ofKind position: Int) -> IdentityIndex? {
    if let index = indexes[position] { return index }
    guard let identity = layout.kinds[position].identity,
      let index = mapper.indexes.index(of: identity)
    else { return nil }
    for (other, kind) in layout.kinds.enumerated() where kind.identity?.number == identity.number {
      indexes[other] = index
    }
    return index
  }

  // MARK: Finding out

  /// Finds the entity of a record, and those of the records nested in it; false if it needs a plan.
  private mutating func resolve(
    _ nodes: [RecordTree.Node], _ position: Int, present: Entity?
  ) -> Bool {
    let kind = layout.kinds[nodes[position].kind]
    guard kind.identity != nil else { return add(nodes, position, present) }
    guard let patch = nodes[position].patches[kind.identityPosition.mapping], patch.hasValue,
      patch.says(kind.identityPosition.field), let index = index(ofKind: nodes[position].kind)
    else { return false }
    if let entity = index.findByPatch(patch, kind.identityPosition.field) {
      return add(nodes, position, entity)
    }
    // A key that does not equal itself identifies nothing.
    let field = kind.identityPosition.field
    guard index.haveSameKey(patch, field, patch, field) else { return false }
    for (slot, other) in slots.enumerated() where other.isNew {
      let otherKind = layout.kinds[nodes[other.node].kind]
      guard otherKind.identity?.number == index.number,
        let otherPatch = nodes[other.node].patches[otherKind.identityPosition.mapping],
        index.haveSameKey(
          patch, kind.identityPosition.field, otherPatch, otherKind.identityPosition.field)
      else { continue }
      return add(nodes, position, toSlot: slot)
    }
    return add(nodes, position, nil)
  }

  /// Adds a record that is about an entity, or makes one.
  private mutating func add(
    _ nodes: [RecordTree.Node], _ index: Int, _ entity: Entity?
  ) -> Bool {
    if let entity, let slot = slots.firstIndex(where: { $0.entity == entity }) {
      return add(nodes, index, toSlot: slot)
    }
    guard slots.count < RecordApplier.maximumCount else { return false }
    slotNumbers[index] = slots.count
    slots.append(Slot(entity: entity, isNew: entity == nil, node: index))
    return addNested(nodes, index, entity)
  }

  /// Adds a record that is about an entity that another one is about, too.
  private mutating func add(
    _ nodes: [RecordTree.Node], _ index: Int, toSlot slot: Int
  ) -> Bool {
    let other = slots[slot].node
    guard nodes[other].kind == nodes[index].kind else { return false }
    slotNumbers[index] = slot
    if nodes[index].isReference { return true }
    guard nodes[other].isReference else { return false }
    slots[slot].node = index
    return addNested(nodes, index, slots[slot].entity)
  }

  private mutating func addNested(
    _ nodes: [RecordTree.Node], _ index: Int, _ entity: Entity?
  ) -> Bool {
    let end = index + nodes[index].size
    var next = index + 1
    guard next < end else { return true }
    let kind = layout.kinds[nodes[index].kind]
    var (relation, position): (Int, Int) = (-1, 0)
    var present: [Entity] = []
    while next < end {
      if nodes[next].relation != relation {
        (relation, position) = (nodes[next].relation, 0)
        // Records without a key are about those that are there.
        let hasKey = layout.kinds[kind.relations[relation].kind].identity != nil
        present = hasKey ? [] : entity.map(kind.relations[relation].link.targets) ?? []
        // Fields of components may hold entities of other contexts, which the plan refuses.
        if kind.relations[relation].isField,
          present.contains(where: { $0.context !== mapper.context })
        {
          return false
        }
      }
      guard resolve(nodes, next, present: position < present.count ? present[position] : nil)
      else { return false }
      position += 1
      next += nodes[next].size
    }
    return true
  }

  /// Whether there is nothing that a plan would refuse, and no part that ends.
  private mutating func isComplete(_ nodes: [RecordTree.Node]) -> Bool {
    for slot in slots {
      let kind = layout.kinds[nodes[slot.node].kind]
      // PERFORMANCE: Patches that are passed on are copied.
      if !nodes[slot.node].isReference, !kind.areOptional,
        !nodes[slot.node].patches.areComplete(for: slot.entity, kind.mappings)
      {
        return false
      }
      guard kind.hasParts, let entity = slot.entity else { continue }
      for (index, relation) in kind.relations.enumerated()
      where relation.isOwned && nodes[slot.node].mentions(index) {
        findLinked(nodes, slot.node, index)
        if areOthers(relation.link.targets(entity)) { return false }
      }
    }
    return true
  }

  // MARK: Carrying out

  private mutating func apply(
    _ nodes: [RecordTree.Node]
  ) -> (entity: Entity, outcome: RecipeOutcome) {
    var hasChanged = false
    for slot in slots.indices where slots[slot].isNew {
      slots[slot].entity = create(nodes[slots[slot].node])
      hasChanged = true
    }
    for slot in slots.indices where applyPatches(nodes, slot) { hasChanged = true }
    for slot in slots.indices where nodes[slots[slot].node].mentioned != 0 {
      if link(nodes, slot) { hasChanged = true }
    }
    let entity = slots[0].entity ?? mapper.context.createEntity()
    return (entity, slots[0].isNew ? .made : hasChanged ? .updated : .unchanged)
  }

  private func create(_ node: RecordTree.Node) -> Entity {
    if let index = indexes[node.kind],
      let patch = node.patches[layout.kinds[node.kind].identityPosition.mapping],
      let entity = index.createByPatch(patch)
    {
      return entity
    }
    return mapper.context.createEntity()
  }

  /// Applies what is said about the components of an entity; false if that changes nothing.
  private mutating func applyPatches(_ nodes: [RecordTree.Node], _ slot: Int) -> Bool {
    guard let entity = slots[slot].entity else { return false }
    let number = slots[slot].node
    let kind = layout.kinds[nodes[number].kind]
    let (isNew, position) = (slots[slot].isNew, kind.identityPosition.mapping)
    var hasChanged = false
    for component in kind.mappings.indices {
      // A new entity has the component with its key by now.
      if isNew, component == position { continue }
      guard let patch = nodes[number].patches[component] else { continue }
      if patch.apply(to: entity, with: []) { hasChanged = true }
    }
    guard kind.hasFields, nodes[number].mentioned != 0 else { return hasChanged }
    for (relation, content) in kind.relations.enumerated() where nodes[number].mentions(relation) {
      guard let component = content.link.component else { continue }
      findLinked(nodes, number, relation)
      let patch = component.patch(linked.compactMap { slots[$0].entity })
      if patch.apply(to: entity, with: []) { hasChanged = true }
    }
    return hasChanged
  }

  /// Sets the relations of an entity that are not fields of components; false if that changes
  /// nothing.
  private mutating func link(_ nodes: [RecordTree.Node], _ slot: Int) -> Bool {
    guard let entity = slots[slot].entity else { return false }
    let number = slots[slot].node
    let kind = layout.kinds[nodes[number].kind]
    var hasChanged = false
    for relation in kind.relations.indices where nodes[number].mentions(relation) {
      let content = kind.relations[relation]
      if content.isField { continue }
      findLinked(nodes, number, relation)
      if slots[slot].isNew, let insert = content.insert {
        // PERFORMANCE: There is nothing to compare with.
        for target in linked {
          if let target = slots[target].entity { insert(entity, target) }
        }
        hasChanged = true
      } else if areOthers(content.link.targets(entity)),
        case .closure(let setTargets) = content.link.writing
      {
        setTargets(entity, linked.compactMap { slots[$0].entity })
        hasChanged = true
      }
    }
    return hasChanged
  }

  /// Finds the slots of the targets of a relation, each once.
  private mutating func findLinked(_ nodes: [RecordTree.Node], _ index: Int, _ relation: Int) {
    linked.removeAll(keepingCapacity: true)
    let end = index + nodes[index].size
    var next = index + 1
    while next < end, nodes[next].relation <= relation {
      if nodes[next].relation == relation, !linked.contains(slotNumbers[next]) {
        linked.append(slotNumbers[next])
      }
      next += nodes[next].size
    }
  }

  /// Whether the targets found are others than these.
  private func areOthers(_ present: [Entity]) -> Bool {
    guard present.count == linked.count else { return true }
    for (position, target) in linked.enumerated() where slots[target].entity != present[position] {
      return true
    }
    return false
  }
}

extension Mapper {
  /// Makes or updates the entities of a record; nil, without a change, if that needs a plan.
  func makeDirectly(_ recipe: Recipe, _ data: JSONValue) -> Entity? {
    applyDirectly(recipe, data) { applier, tree in applier.apply(tree)?.entity }
  }

  /// Changes an entity to what a record says; nil, without a change, if that needs a plan.
  func updateDirectly(_ entity: Entity, _ recipe: Recipe, _ data: JSONValue) -> RecipeOutcome? {
    applyDirectly(recipe, data) { applier, tree in applier.update(entity, by: tree) }
  }

  private func applyDirectly<Result>(
    _ recipe: Recipe, _ data: JSONValue,
    _ work: (inout RecordApplier, RecordTree) -> Result?
  ) -> Result? {
    guard let layout = recipe.definition.layout else { return nil }
    var reader = RecordTreeReader()
    guard let tree = reader.read(data, by: layout) else { return nil }
    return context.perform("recipe \(recipe.name)") {
      guard var applier = RecordApplier(self, layout) else { return nil }
      return work(&applier, tree)
    }
  }
}
