import JSONValues

/// The values of fields on their way to components, in memory that is reused for each record.
// PERFORMANCE: So values are found by code that is independent of components, and decoded by code
// specialized for their types (P1, P2, P4).
struct LeafValues {
  /// The outcome of decoding the values of a component.
  enum Decoded {
    /// What they say about it; nil if nothing.
    case patch((any Patch)?)

    /// They can't be decoded: looking them up by their paths shows why.
    case refused
  }

  // INVARIANT: All nil, or none at all, between records: decoding values takes them.
  private var values: [JSONValue?] = []

  /// What is to be known of other keys of a record.
  private var others: [UInt64] = []

  /// What data says about each component of a recipe without relations; nil if that can't be found
  /// out this way.
  mutating func patches(of recipe: Recipe, in data: JSONValue) -> RecordPatches? {
    let definition = recipe.definition
    guard definition.isFlat, definition.unknownKeys == .ignore, case .object(let object) = data
    else { return nil }
    var position = 0
    return RecordPatches(count: definition.mappings.count) { number in
      guard let keys = definition.keys[number] else { return .refused }
      return decode(definition.mappings[number], keys, in: object, near: &position)
    }
  }

  /// Decodes what an object says about a component that takes the values of some keys, which are
  /// looked for at a position first.
  mutating func decode(
    _ mapping: any ComponentMapping, _ keys: [String], in object: JSONObject,
    near position: inout Int
  ) -> Decoded {
    object.collect(keys, near: &position, into: &values)
    return decode(mapping, from: 0)
  }

  /// Reads what a record in bytes says about each component; nil if it has to be parsed to tell.
  mutating func read(_ bytes: [UInt8], in range: Range<Int>, for recipe: Recipe) -> RecordPatches? {
    guard let plan = recipe.definition.reading else { return nil }
    if values.count != plan.count {
      values.removeAll(keepingCapacity: true)
      values.append(contentsOf: repeatElement(nil, count: plan.count))
    }
    guard plan.read(bytes, in: range, into: &values, others: &others) else {
      values.removeAll(keepingCapacity: true)
      return nil
    }
    let (mappings, keys) = (recipe.mappings, recipe.definition.keys)
    var base = 0
    return RecordPatches(count: mappings.count) { number in
      defer { base += keys[number]?.count ?? 0 }
      return decode(mappings[number], from: base)
    }
  }

  private mutating func decode(_ mapping: any ComponentMapping, from base: Int) -> Decoded {
    do throws(TransformFailure) {
      return .patch(try mapping.decode(&values, from: base))
    } catch {
      // Those that were not reached are still there.
      values.removeAll(keepingCapacity: true)
      return .refused
    }
  }
}
