import ECS
import JSONValues

extension ChangePlan {
  /// A link with a value that the data names.
  ///
  /// What the data says about its value counts for the link, wherever it is said: on both sides of
  /// the relation, and by several recipes.
  struct ValuedLink {
    let form: LinkValueForm
    let key: ValuedLinkKey

    /// The value before anything is done; nil if there is no link yet.
    let original: (any Component)?

    /// What the mappings say about the value, in the order of the data.
    var patches: [(values: NestedValues, patch: any Patch)] = []

    /// What a new link starts from; nil if there is no such thing.
    var start: (any Component)?

    /// The place of a value that has to be there for a new link; nil if there is none.
    var missing: JSONPath?
    let recipe: String
    let path: JSONPath

    private var first: (any Patch)? { patches.first?.patch }
    private var later: [any Patch] { patches.dropFirst().map(\.patch) }

    /// The value that a new link gets; nil if there is none.
    var newValue: (any Component)? {
      let start = original ?? start
      return first?.replaced(start, with: later) ?? start
    }

    /// What a value that there is becomes; nil if it stays as it is.
    func replaced(_ value: any Component) -> (any Component)? {
      first?.replaced(value, with: later)
    }

    /// Throws if the data does not suffice to make the link, or can't be applied to its value.
    func check() throws(RecipeError) {
      do throws(TransformFailure) {
        if original == nil { try checkComplete() }
        var value = original ?? start
        for (_, patch) in patches {
          try patch.check(over: value)
          value = patch.replaced(value, with: []) ?? value
        }
        if value == nil { throw TransformFailure(.missing, at: missing ?? .root) }
      } catch {
        throw RecipeError(recipe: recipe, path: path.appending(error.path), reason: error.reason)
      }
    }

    private func checkComplete() throws(TransformFailure) {
      if patches.isEmpty {
        if let missing { throw TransformFailure(.missing, at: missing) }
        return
      }
      var failure: TransformFailure?
      for (values, patch) in patches {
        do throws(TransformFailure) {
          try values.mapping?.checkComplete(patch, isSelective: false)
          return
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }

    /// The differences of the value, if there is a link already.
    var differences: [PatchDifference] {
      guard var value = original else { return [] }
      var differences: [PatchDifference] = []
      for (_, patch) in patches {
        differences += patch.differences(over: value)
        value = patch.replaced(value, with: []) ?? value
      }
      return differences
    }
  }

  /// A link of a relation, by the targets of the plan that it is between.
  struct ValuedLinkKey: Hashable {
    let relation: ObjectIdentifier
    let source: TargetNumber
    let target: TargetNumber

    init(_ form: LinkValueForm, from owner: TargetNumber, to nested: TargetNumber) {
      relation = form.relation
      (source, target) = form.nestsSources ? (nested, owner) : (owner, nested)
    }
  }

  // MARK: Planning

  /// Notes what a record says about the value of the link by which it is nested.
  mutating func noteValue(
    of record: DecodedRecord, _ nested: TargetNumber, in change: Int, _ values: NestedValues
  ) {
    let key = ValuedLinkKey(values.form, from: changes[change].target, to: nested)
    let number = valuedLinkNumbers[key] ?? valuedLinks.count
    if number == valuedLinks.count {
      valuedLinkNumbers[key] = number
      changes[change].valuedLinks.append(number)
      let (source, target) = (targets[key.source].entity, targets[key.target].entity)
      let original = source.flatMap { source in target.flatMap { values.form.read(source, $0) } }
      valuedLinks.append(
        ValuedLink(
          form: values.form, key: key, original: original, start: values.start,
          missing: values.missingPath, recipe: changes[change].recipe.name, path: record.linkPath))
    } else if valuedLinks[number].start == nil || valuedLinks[number].missing != nil {
      // Where one mapping can't make the value alone, another one may.
      valuedLinks[number].start = valuedLinks[number].start ?? values.start
      if values.missingPath == nil { valuedLinks[number].missing = nil }
    }
    guard let patch = record.linkPatch else { return }
    let last = valuedLinks[number].patches.last
    if let last, last.values.mapping === values.mapping {
      let count = valuedLinks[number].patches.count
      valuedLinks[number].patches[count - 1].patch = last.patch.merged(with: patch)
    } else {
      valuedLinks[number].patches.append((values, patch))
    }
  }

  /// Throws if a value that a change is the first to name can't be made or changed.
  func checkValues(of change: TargetChange) throws(RecipeError) {
    for number in change.valuedLinks { try valuedLinks[number].check() }
  }

  /// Whether a value of a link that is there would change.
  var wouldChangeValues: Bool {
    valuedLinks.contains { link in link.original.map { link.replaced($0) != nil } ?? false }
  }

  // MARK: Carrying out

  /// Sets what is linked to an entity, with values for what is not linked yet.
  func setLinks(
    of entity: Entity, to linked: [TargetNumber], by change: TargetChange, _ form: LinkValueForm
  ) {
    form.setLinks(
      entity,
      linked.compactMap { number in
        guard let other = targets[number].entity else { return nil }
        let key = ValuedLinkKey(form, from: change.target, to: number)
        return (other, valuedLinkNumbers[key].flatMap { valuedLinks[$0].newValue })
      })
  }

  /// Changes the values of links that were there already.
  mutating func updateValues() {
    for change in changes {
      for number in change.valuedLinks {
        let link = valuedLinks[number]
        guard let source = targets[link.key.source].entity,
          let target = targets[link.key.target].entity,
          let new = link.form.read(source, target).flatMap(link.replaced)
        else { continue }
        link.form.write(source, target, new)
        targets[change.target].hasChanged = true
      }
    }
  }
}

extension NestedValues {
  /// What a new link starts from; nil if there is no such thing.
  fileprivate var start: (any Component)? { form.defaultValue ?? mapping?.anyTemplate }

  /// The place of a value without which a new link can't be made; nil if it can.
  fileprivate var missingPath: JSONPath? {
    guard let fields = mapping?.fields else { return nil }
    if let required = fields.first(where: \.isRequired) { return required.path }
    return start == nil ? fields.first?.path : nil
  }
}
