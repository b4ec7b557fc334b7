import ECS

extension ChangePlan {
  /// Throws if something can't be carried out; afterwards nothing can fail.
  func check() throws(RecipeError) {
    for change in changes { try check(change) }
  }

  /// All that can't be carried out.
  func failures() -> [ImportReport.Failure] {
    changes.compactMap { change in
      do throws(RecipeError) {
        try check(change)
        return nil
      } catch {
        return ImportReport.Failure(position: change.position, line: nil, error: error)
      }
    }
  }

  private func check(_ change: TargetChange) throws(RecipeError) {
    let target = targets[change.target]
    for (number, mapping) in change.recipe.mappings.enumerated() {
      let patch = change.patches[number]
      do throws(TransformFailure) {
        try patch?.check(on: target.entity)
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

  /// Whether carrying it out would change anything.
  var wouldChange: Bool {
    changes.contains { change in
      let target = targets[change.target]
      return target.isNew
        || change.patches.contains { $0?.wouldChange(target.entity) == true }
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
