import ECS

extension ChangePlan {
  /// Throws if something can't be carried out; afterwards nothing can fail.
  func check() throws(RecipeError) {
    var keys: [Key: TargetNumber] = [:]
    for number in changes.indices { try check(changes[number], &keys) }
    if let cycle = cycle() { throw cycle.error }
  }

  /// All that can't be carried out.
  func failures() -> [ImportReport.Failure] {
    var keys: [Key: TargetNumber] = [:]
    var failures: [ImportReport.Failure] = []
    for change in changes {
      do throws(RecipeError) {
        try check(change, &keys)
      } catch {
        failures.append(.init(position: change.position, line: nil, error: error))
      }
    }
    if let cycle = cycle() {
      let position = changes[cycle.change].position
      failures.append(.init(position: position, line: nil, error: cycle.error))
    }
    return failures.sorted { $0.position < $1.position }
  }

  private func check(
    _ change: TargetChange, _ keys: inout [Key: TargetNumber]
  ) throws(RecipeError) {
    let target = targets[change.target]
    let mappings = change.recipe.mappings
    for number in mappings.indices {
      let (mapping, patch) = (mappings[number], change.patches[number])
      do throws(TransformFailure) {
        if let patch {
          try patch.check(on: target.entity, after: patches(of: patch.cid, before: change))
        }
        try checkKeys(of: number, change, &keys)
        let isMade = patch?.hasValue == true || target.isNew
        guard !change.isReference, isMade, let path = mapping.missing(in: patch),
          target.entity?.has(mapping.cid) != true
        else { continue }
        throw TransformFailure(.missing, at: path)
      } catch {
        throw RecipeError(
          recipe: change.recipe.name, path: change.path.appending(error.path), reason: error.reason)
      }
    }
  }

  /// Throws if a component would give its entity another key, or one that another entity has.
  ///
  /// Identities are all right: they have found or made their entities. This is about recipes that
  /// map the field without knowing of it as an identity.
  private func checkKeys(
    of number: Int, _ change: TargetChange, _ keys: inout [Key: TargetNumber]
  ) throws(TransformFailure) {
    let (recipe, target) = (change.recipe, change.target)
    let isIdentity = number == recipe.identityNumber
    guard let patch = change.patches[number], !isIdentity || mapper.hasManyKeys else { return }
    let indexes = mapper.indexes(of: patch.cid)
    for index in indexes where !(isIdentity && indexes.count == 1) {
      guard !isIdentity || index.keyPath != recipe.identity?.keyPath,
        let key = index.newKey(of: targets[target].entity, by: patch)
      else { continue }
      let place = Key(field: index.keyPath, key: key)
      // An entity keeps the key that it has.
      let isChange = targets[target].entity?.has(index.cid) == true
      let isTaken =
        index.find(key) != nil || newTargets[place] ?? target != target
        || keys.updateValue(target, forKey: place) ?? target != target
      guard isChange || isTaken else { continue }
      let mapping = recipe.mappings[number]
      let field = mapping.keyPaths.firstIndex(of: index.keyPath)
      throw TransformFailure(
        isChange ? .identityMismatch : .duplicateIdentity,
        at: field.map { mapping.leaves[$0].path } ?? .root)
    }
  }

  /// Whether carrying it out would change anything.
  var wouldChange: Bool {
    changes.enumerated().contains { number, change in
      let target = targets[change.target]
      return target.isNew
        || change.patches.enumerated().contains { place, patch in
          guard let patch, let later = patches(of: patch.cid, after: number, place) else {
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
      func add(_ path: JSONPath, _ old: JSONValue?, _ new: JSONValue?) {
        differences.append(
          RecipeDifference(
            recipe: change.recipe.name, entity: entity, path: change.path.appending(path),
            old: old, new: new))
      }
      for patch in change.patches {
        for part in patch?.differences(on: entity) ?? [] { add(part.path, part.old, part.new) }
      }
      for (number, linked) in change.links.enumerated() {
        guard let linked, differ(from: linked, change, number) else { continue }
        let relation = change.recipe.nested[number]
        let old = entity.map { relation.nested.link.targets($0).map { "\($0)" } } ?? []
        let new = linked.map { targets[$0].entity.map { "\($0)" } ?? "new" }
        add(relation.path, .array(old.map(JSONValue.string)), .array(new.map(JSONValue.string)))
      }
    }
    return differences
  }
}
