import ECS
import JSONValues

extension ChangePlan {
  /// Throws if something can't be carried out; afterwards nothing can fail.
  mutating func check() throws(RecipeError) {
    var keys: [Key: TargetNumber] = [:]
    for index in changes.indices { try check(changes[index], number: index, &keys) }
    if let cycle = settleHierarchies() { throw cycle.error }
  }

  /// All that can't be carried out.
  mutating func failures() -> [ImportReport.Failure] {
    var keys: [Key: TargetNumber] = [:]
    var failures: [ImportReport.Failure] = []
    for (index, change) in changes.enumerated() {
      do throws(RecipeError) {
        try check(change, number: index, &keys)
      } catch {
        failures.append(.init(position: change.position, error: error))
      }
    }
    if let cycle = settleHierarchies() {
      let position = changes[cycle.change].position
      failures.append(.init(position: position, error: cycle.error))
    }
    return failures.sorted { $0.position < $1.position }
  }

  private func check(
    _ change: TargetChange, number: Int, _ keys: inout [Key: TargetNumber]
  ) throws(RecipeError) {
    let target = targets[change.target]
    let mappings = change.recipe.mappings
    for index in mappings.indices {
      let (mapping, patch) = (mappings[index], change.patches[index])
      do throws(TransformFailure) {
        if let patch {
          let earlier = change.previous == nil ? [] : patches(of: patch.cid, before: change)
          try patch.check(on: target.entity, after: earlier)
          try checkKeys(of: patch, at: index, in: number, &keys)
        }
        let isMade = patch?.hasValue == true || target.isNew
        guard !change.isReference, isMade, target.isNew || target.entity?.has(mapping.cid) != true
        else { continue }
        try mapping.checkComplete(patch, isSelective: change.isSelective)
      } catch {
        throw RecipeError(
          recipe: change.recipe.name, path: change.path.appending(error.path), reason: error.reason)
      }
    }
    for (relation, linked) in change.links.enumerated() where linked?.isEmpty == false {
      try checkKeys(ofLink: relation, in: number, &keys)
    }
    if !change.valuedLinks.isEmpty { try checkValues(of: change) }
  }

  /// Throws if a component would give its entity another key, or one that another entity has.
  ///
  /// Identities are all right: they have found or made their entities. This is about recipes that
  /// map the field without knowing of it as an identity.
  private func checkKeys(
    of patch: any Patch, at position: Int, in offset: Int, _ keys: inout [Key: TargetNumber]
  ) throws(TransformFailure) {
    // PERFORMANCE: Mostly there is one index, which has found the entity (P1, P2).
    let recipe = changes[offset].recipe
    // Data without the key would make the component with that of the template.
    let isIdentity = position == recipe.identityNumber && patch.says(recipe.identityField)
    if mapper.indexes.count <= (isIdentity ? 1 : 0), changes[offset].previous == nil { return }
    let indexes = mapper.indexes.indexes(of: patch.cid)
    guard !indexes.isEmpty, let later = patches(of: patch.cid, after: offset, position) else {
      return
    }
    for index in indexes {
      if isIdentity, later.isEmpty, index.number == recipe.identity?.number { continue }
      let target = changes[offset].target
      let reason: RecipeError.Reason
      switch index.change(of: targets[target].entity, by: patch, with: later) {
      case .none: continue
      case .forbidden: reason = .identityMismatch
      case .invalid: reason = .invalidKey
      case .new(let key):
        guard isTaken(key, index, target, &keys) else { continue }
        reason = .duplicateIdentity
      }
      let mapping = recipe.mappings[position]
      let field = mapping.fields.firstIndex { $0.isAbout(index.keyPath) }
      throw TransformFailure(reason, at: field.map { mapping.leaves[$0].path } ?? .root)
    }
  }

  /// Throws if a link makes a component, and the template of that has a key that is taken.
  private func checkKeys(
    ofLink relation: Int, in position: Int, _ keys: inout [Key: TargetNumber]
  ) throws(RecipeError) {
    let change = changes[position]
    let mapping = change.recipe.nested[relation]
    guard mapper.indexes.count > 0, let component = mapping.nested.link.component,
      targets[change.target].entity?.has(component.cid) != true,
      !patches(of: component.cid, inAllChangesOf: change.target).contains(where: \.hasValue)
    else { return }
    for index in mapper.indexes.indexes(of: component.cid) {
      guard let key = index.key(in: component.template),
        isTaken(key, index, change.target, &keys)
      else { continue }
      throw RecipeError(
        recipe: change.recipe.name, path: change.path.appending(mapping.path),
        reason: .duplicateIdentity)
    }
  }

  /// Whether another entity has a key, or gets it by the plan.
  private func isTaken(
    _ key: AnyHashable, _ index: IdentityIndex, _ target: TargetNumber,
    _ keys: inout [Key: TargetNumber]
  ) -> Bool {
    let identityKey = Key(field: index.number, key: key)
    if let holder = index.find(key), holder != targets[target].entity { return true }
    return newTargets[identityKey] ?? target != target
      || keys.updateValue(target, forKey: identityKey) ?? target != target
  }

  /// Whether carrying it out would change anything.
  var wouldChange: Bool {
    if wouldChangeValues { return true }
    return changes.enumerated().contains { position, change in
      let target = targets[change.target]
      return target.isNew
        || change.patches.enumerated().contains { index, patch in
          guard let patch, let later = patches(of: patch.cid, after: position, index) else {
            return false
          }
          return patch.wouldChange(target.entity, with: later)
        }
        || change.links.enumerated().contains { relation, linked in
          linked.map { differ(from: $0, change, relation) } ?? false
        }
    }
  }

  /// What carrying it out would change, in the order of the data.
  func differences() -> [RecipeDifference] {
    var differences: [RecipeDifference] = []
    for change in changes {
      let entity = targets[change.target].entity
      func add(_ part: PatchDifference) {
        differences.append(
          RecipeDifference(
            recipe: change.recipe.name, entity: entity, path: change.path.appending(part.path),
            field: part.field, old: part.old, new: part.new))
      }
      for patch in change.patches {
        for part in patch?.differences(on: entity) ?? [] { add(part) }
      }
      for (index, linked) in change.links.enumerated() {
        guard let linked, differ(from: linked, change, index) else { continue }
        let relation = change.recipe.nested[index]
        let old = entity.map { relation.nested.link.targets($0).map { "\($0)" } } ?? []
        let new = linked.map { targets[$0].entity.map { "\($0)" } ?? "new" }
        add(
          PatchDifference(
            path: relation.path, old: .array(old.map(JSONValue.string)),
            new: .array(new.map(JSONValue.string))))
      }
      for number in change.valuedLinks {
        let link = valuedLinks[number]
        for part in link.differences {
          differences.append(
            RecipeDifference(
              recipe: link.recipe, entity: entity, path: link.path.appending(part.path),
              field: part.field, old: part.old, new: part.new))
        }
      }
    }
    return differences
  }
}
