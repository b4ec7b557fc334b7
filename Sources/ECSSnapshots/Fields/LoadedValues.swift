import ECS

/// Fills the fields of values that refer to entities.
typealias Linking<C: Component> = @Sendable (ValueBlock<C>, Arrivals) -> Void

/// Values of a component that are read and checked.
struct LoadedValues<C: Component>: LoadedRows {
  /// What the component is called.
  let name: String
  let identity: StoredIdentity<C>?
  let offset: Int?

  /// All values, but without the entities that they refer to.
  let values: ValueBlock<C>

  /// Adds these; nil if there are none.
  let link: Linking<C>?

  func fill(_ columns: borrowing NewColumns, _ arrivals: Arrivals) {
    link?(values, arrivals)
    values.move(to: columns)
  }

  private func linked(_ arrivals: Arrivals) -> ValueBlock<C> {
    guard let link else { return values }
    let values = values.copy()
    link(values, arrivals)
    return values
  }

  func addKeys(to keys: inout Set<AnyHashable>) throws(SnapshotError) {
    guard let identity else { return }
    for row in values.indices {
      let key = identity.key(values[row])
      if !keys.insert(key).inserted {
        throw SnapshotError(.duplicateKey("\(key)"), name: name, offset: offset)
      }
    }
  }

  func keys() -> [AnyHashable]? {
    identity.map { identity in values.indices.map { identity.key(values[$0]) } }
  }
  func readable() -> any LoadedRows { self }
  func values<Value>(of type: Value.Type) -> ValueBlock<Value>? { values as? ValueBlock<Value> }

  func resolved(_ arrivals: Arrivals) -> any LoadedRows {
    LoadedValues(
      name: name, identity: identity, offset: offset, values: linked(arrivals), link: nil)
  }

  func fill(_ columns: borrowing NewColumns, _ rows: [Int]) {
    columns.initialize(C.self) { output in
      for row in rows { output.append(values[row]) }
    }
  }

  func set(_ row: Int, of entity: Entity) { entity.set(values[row]) }
  func component(_ row: Int) -> any Component { values[row] }
}
