public import ECS

/// A primary index, whatever its types.
@usableFromInline
final class IdentityIndex: Sendable {
  let cid: CID
  let number: Int
  let keyPath: any AnyKeyPath & Sendable

  // PERFORMANCE: Closures, since those are made where the types are known, and methods of a generic
  // class are not (P1, P2).

  /// The entity that has the key in a patch, or comes to have it, if the field at a position is in it.
  let findByPatch: @Sendable (AnyObject, Int) -> Entity?

  /// Makes an entity with the component in a patch; nil if its key identifies nothing.
  let createByPatch: @Sendable (AnyObject) -> Entity?

  /// Whether two patches have the same key, each with the position of the field.
  let haveSameKey: @Sendable (AnyObject, Int, AnyObject, Int) -> Bool

  /// Makes what tells of one patch after the other whether it has a key, and one that none before it had;
  /// with the number of patches, and each with the position of the field.
  let makeKeyCheck: @Sendable (Int) -> (AnyObject, Int) -> Bool

  private let methods: any IndexMethods

  init(
    cid: CID, _ keyPath: any AnyKeyPath & Sendable, _ methods: any IndexMethods,
    findByPatch: @escaping @Sendable (AnyObject, Int) -> Entity?,
    createByPatch: @escaping @Sendable (AnyObject) -> Entity?,
    haveSameKey: @escaping @Sendable (AnyObject, Int, AnyObject, Int) -> Bool,
    makeKeyCheck: @escaping @Sendable (Int) -> (AnyObject, Int) -> Bool
  ) {
    (self.cid, self.keyPath, self.methods) = (cid, keyPath, methods)
    (self.findByPatch, self.createByPatch) = (findByPatch, createByPatch)
    (self.haveSameKey, self.makeKeyCheck) = (haveSameKey, makeKeyCheck)
    number = KeyPathNumbers.number(of: keyPath)
  }

  /// Makes what recipes need of an index.
  @inlinable
  static func over<C: Component, Key: Hashable & Sendable>(
    _ index: PrimaryIndex<C, Key>, _ field: any KeyPath<C, Key> & Sendable
  ) -> IdentityIndex {
    let reader = FieldReader(field)
    return make(index, field) { patch, position in
      guard let patch = patch as? FieldwisePatch<C> else {
        return madeComponent(of: C.self, in: patch).flatMap { index.holder(of: reader.get($0)) }
      }
      return patch.says(position) ? index.holder(of: reader.get(patch.values)) : nil
    } createByPatch: { patch in
      let made = (patch as? FieldwisePatch<C>)?.values ?? madeComponent(of: C.self, in: patch)
      guard let made else { return nil }
      let key = reader.get(made)
      return key == key ? index.getOrCreate(made) : nil
    } haveSameKey: { one, position, other, otherPosition in
      guard let one = key(in: one, at: position, reader),
        let other = key(in: other, at: otherPosition, reader)
      else { return false }
      return one == other
    } makeKeyCheck: { count in
      var known = Set<Key>(minimumCapacity: count)
      return { patch, position in
        key(in: patch, at: position, reader).map { $0 == $0 && known.insert($0).inserted } ?? false
      }
    }
  }

  @inlinable
  static func key<C: Component, Key>(
    in patch: AnyObject, at position: Int, _ reader: FieldReader<C, Key>
  ) -> Key? {
    guard let patch = patch as? FieldwisePatch<C> else {
      return madeComponent(of: C.self, in: patch).map { reader.get($0) }
    }
    return patch.says(position) ? reader.get(patch.values) : nil
  }

  @usableFromInline
  static func make<C: Component, Key: Hashable & Sendable>(
    _ index: PrimaryIndex<C, Key>, _ field: any KeyPath<C, Key> & Sendable,
    findByPatch: @escaping @Sendable (AnyObject, Int) -> Entity?,
    createByPatch: @escaping @Sendable (AnyObject) -> Entity?,
    haveSameKey: @escaping @Sendable (AnyObject, Int, AnyObject, Int) -> Bool,
    makeKeyCheck: @escaping @Sendable (Int) -> (AnyObject, Int) -> Bool
  ) -> IdentityIndex {
    IdentityIndex(
      cid: C.cid, field, KeyPathIndexMethods(index: index, field: field),
      findByPatch: findByPatch, createByPatch: createByPatch, haveSameKey: haveSameKey,
      makeKeyCheck: makeKeyCheck)
  }

  /// What patches of the component make of the key of an entity.
  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange {
    methods.change(of: entity, by: patch, with: later)
  }

  /// The key of a component.
  func key(in component: any Component) -> AnyHashable? { methods.key(in: component) }

  /// The entity that has a key, or comes to have it.
  func find(_ key: AnyHashable) -> Entity? { methods.find(key) }

  /// Makes an entity with a component.
  func create(_ component: any Component) -> Entity? { methods.create(component) }
}

/// The component in a patch that makes it as a whole.
@usableFromInline
func madeComponent<C: Component>(of type: C.Type, in patch: AnyObject) -> C? {
  (patch as? WholePatch<C>)?.component
}

/// What is asked of an index less often.
protocol IndexMethods: Sendable {
  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange
  func key(in component: any Component) -> AnyHashable?
  func find(_ key: AnyHashable) -> Entity?
  func create(_ component: any Component) -> Entity?
}

/// What becomes of a key of an entity.
enum KeyChange {
  case none

  /// The entity gets a key and had none.
  case new(AnyHashable)

  /// The entity has another key, or would lose its own.
  case forbidden

  /// The entity gets a key that identifies nothing, and had none.
  case invalid
}

struct KeyPathIndexMethods<C: Component, Key: Hashable & Sendable>: IndexMethods {
  let index: PrimaryIndex<C, Key>
  let field: any KeyPath<C, Key> & Sendable

  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange {
    guard let patch = patch as? any ComponentPatch<C> else { return .none }
    let current = entity.flatMap { index.key(of: $0) }
    switch patch.result(over: entity?.get(C.self), with: later) {
    case .unchanged: return .none
    case .removed: return current == nil ? .none : .forbidden
    case .set(let component):
      let key = component[keyPath: field]
      guard let current else { return key == key ? .new(AnyHashable(key)) : .invalid }
      return key == current ? .none : .forbidden
    }
  }

  func key(in component: any Component) -> AnyHashable? {
    (component as? C).map { AnyHashable($0[keyPath: field]) }
  }

  func find(_ key: AnyHashable) -> Entity? { (key.base as? Key).flatMap { index.holder(of: $0) } }

  func create(_ component: any Component) -> Entity? {
    (component as? C).map { index.getOrCreate($0) }
  }
}
