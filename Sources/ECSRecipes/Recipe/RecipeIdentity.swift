import ECS

/// What finds the entity that data is about, whatever the types.
protocol IdentityMapping: AnyObject, Sendable {
  var cid: CID { get }
  var keyPath: AnyKeyPath { get }
  var fieldName: String { get }

  /// The key in the data, if the field at a position of the mapping is in it.
  func key(in patch: (any Patch)?, field number: Int) -> AnyHashable?

  /// The key that an entity has; nil if it has none.
  func key(of entity: Entity) -> AnyHashable?

  /// An index over a context; nil if entities have the same key there already.
  func makeIndex(in context: Context) -> (any IdentityIndex)?
}

/// A primary index, whatever its types.
protocol IdentityIndex: AnyObject, Sendable {
  var cid: CID { get }
  var keyPath: AnyKeyPath { get }

  /// The key that a patch gives to an entity; nil if the entity has none then or keeps its own.
  func newKey(of entity: Entity?, by patch: any Patch) -> AnyHashable?

  /// The entity that has a key.
  func find(_ key: AnyHashable) -> Entity?

  /// The entity that has the key in a patch, if the field at a position of the mapping is in it.
  func find(_ patch: any Patch, field number: Int) -> Entity?

  func create(_ patch: (any Patch)?) -> Entity?
}

final class KeyPathIdentity<C: Component, Key: Hashable & Sendable>: IdentityMapping {
  let field: any KeyPath<C, Key> & Sendable

  init(field: any KeyPath<C, Key> & Sendable) { self.field = field }

  var cid: CID { C.cid }
  var keyPath: AnyKeyPath { field }
  var fieldName: String { "\(C.self).\("\(field)".drop { $0 != "." }.dropFirst())" }

  func key(in patch: (any Patch)?, field number: Int) -> AnyHashable? {
    guard let patch = patch as? FieldwisePatch<C>, patch.present.contains(number) else {
      return nil
    }
    return AnyHashable(patch.values[keyPath: field])
  }

  func key(of entity: Entity) -> AnyHashable? {
    entity.get(C.self).map { AnyHashable($0[keyPath: field]) }
  }

  func makeIndex(in context: Context) -> (any IdentityIndex)? {
    let field = field
    let index = context.primaryIndex(paused: true) { (component: C) in component[keyPath: field] }
    guard (try? index.resume()) != nil else { return nil }
    return KeyPathIndex(index: index, field: field)
  }
}

final class KeyPathIndex<C: Component, Key: Hashable & Sendable>: IdentityIndex {
  let index: PrimaryIndex<C, Key>
  let field: any KeyPath<C, Key> & Sendable

  init(index: PrimaryIndex<C, Key>, field: any KeyPath<C, Key> & Sendable) {
    (self.index, self.field) = (index, field)
  }

  var cid: CID { C.cid }
  var keyPath: AnyKeyPath { field }

  func newKey(of entity: Entity?, by patch: any Patch) -> AnyHashable? {
    let old = entity?.get(C.self)
    guard let new = (patch as? any ComponentPatch<C>)?.result(over: old),
      new[keyPath: field] != old?[keyPath: field]
    else { return nil }
    return AnyHashable(new[keyPath: field])
  }

  func find(_ key: AnyHashable) -> Entity? { (key.base as? Key).flatMap { index[$0] } }

  func find(_ patch: any Patch, field number: Int) -> Entity? {
    guard let patch = patch as? FieldwisePatch<C>, patch.present.contains(number) else {
      return nil
    }
    return index[patch.values[keyPath: field]]
  }

  func create(_ patch: (any Patch)?) -> Entity? {
    guard let patch = patch as? FieldwisePatch<C> else { return nil }
    return index.getOrCreate(patch.values)
  }
}
