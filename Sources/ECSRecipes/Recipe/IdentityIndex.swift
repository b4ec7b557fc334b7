public import ECS

/// A primary index, whatever its types.
@usableFromInline
final class IdentityIndex: Sendable {
  let cid: CID
  let number: Int
  let keyPath: any AnyKeyPath & Sendable

  // PERFORMANCE: Closures, since those are made where the types are known, and methods of a generic
  // class are not (P1, P2).

  /// The entity that has the key in a patch, or comes to have it, if the field at a position is in
  /// it.
  let findByPatch: @Sendable (AnyObject, Int) -> Entity?

  /// Makes an entity with the component in a patch; nil if its key identifies nothing.
  let createByPatch: @Sendable (AnyObject) -> Entity?

  /// Whether two patches have the same key, each with the position of the field.
  let haveSameKey: @Sendable (AnyObject, Int, AnyObject, Int) -> Bool

  /// Makes what tells of one patch after the other whether it has a key, and one that none before
  /// it had; with the number of patches, and each with the position of the field.
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

  /// Makes what recipes need of an index, whose keys a reader finds in components.
  @inlinable
  static func over<Reader: KeyReader>(
    _ index: PrimaryIndex<Reader.Root, Reader.Value>, _ reader: Reader,
    _ keyPath: any AnyKeyPath & Sendable
  ) -> IdentityIndex {
    make(index, reader, keyPath) { patch, position in
      guard let patch = patch as? FieldwisePatch<Reader.Root> else {
        return madeComponent(of: Reader.Root.self, in: patch)
          .flatMap { index.holder(of: reader.get($0)) }
      }
      return patch.says(position) ? index.holder(of: reader.get(patch.values)) : nil
    } createByPatch: { patch in
      let made =
        (patch as? FieldwisePatch<Reader.Root>)?.values
        ?? madeComponent(of: Reader.Root.self, in: patch)
      guard let made else { return nil }
      let key = reader.get(made)
      return key == key ? index.getOrCreate(made) : nil
    } haveSameKey: { one, position, other, otherPosition in
      guard let one = key(in: one, at: position, reader),
        let other = key(in: other, at: otherPosition, reader)
      else { return false }
      return one == other
    } makeKeyCheck: { count in
      var known = Set<Reader.Value>(minimumCapacity: count)
      return { patch, position in
        key(in: patch, at: position, reader).map { $0 == $0 && known.insert($0).inserted } ?? false
      }
    }
  }

  @inlinable
  static func key<Reader: KeyReader>(
    in patch: AnyObject, at position: Int, _ reader: Reader
  ) -> Reader.Value? {
    guard let patch = patch as? FieldwisePatch<Reader.Root> else {
      return madeComponent(of: Reader.Root.self, in: patch).map { reader.get($0) }
    }
    return patch.says(position) ? reader.get(patch.values) : nil
  }

  @usableFromInline
  static func make<Reader: KeyReader>(
    _ index: PrimaryIndex<Reader.Root, Reader.Value>, _ reader: Reader,
    _ keyPath: any AnyKeyPath & Sendable,
    findByPatch: @escaping @Sendable (AnyObject, Int) -> Entity?,
    createByPatch: @escaping @Sendable (AnyObject) -> Entity?,
    haveSameKey: @escaping @Sendable (AnyObject, Int, AnyObject, Int) -> Bool,
    makeKeyCheck: @escaping @Sendable (Int) -> (AnyObject, Int) -> Bool
  ) -> IdentityIndex {
    IdentityIndex(
      cid: Reader.Root.cid, keyPath, ReadKeyIndexMethods(index: index, reader: reader),
      findByPatch: findByPatch, createByPatch: createByPatch, haveSameKey: haveSameKey,
      makeKeyCheck: makeKeyCheck)
  }

  /// What patches of the component make of the key of an entity.
  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange {
    methods.change(of: entity, by: patch, with: later)
  }

  /// The key of a component, as the index compares it.
  func key(in component: any Component) -> AnyHashable? { methods.key(in: component) }

  /// A key as the index compares it.
  func comparable(_ key: AnyHashable) -> AnyHashable { methods.comparable(key) }

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

/// The methods of an index that are called less often.
protocol IndexMethods: Sendable {
  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange
  func key(in component: any Component) -> AnyHashable?
  func comparable(_ key: AnyHashable) -> AnyHashable
  func find(_ key: AnyHashable) -> Entity?
  func create(_ component: any Component) -> Entity?
}

/// The change of a key of an entity.
enum KeyChange {
  case none

  /// The entity gets a key and had none.
  case new(AnyHashable)

  /// The entity has another key, or would lose its own.
  case forbidden

  /// The entity gets a key that identifies nothing, and had none.
  case invalid
}

struct ReadKeyIndexMethods<Reader: KeyReader>: IndexMethods {
  let index: PrimaryIndex<Reader.Root, Reader.Value>
  let reader: Reader

  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange {
    guard let patch = patch as? any ComponentPatch<Reader.Root> else { return .none }
    let current = entity.flatMap { index.key(of: $0) }
    switch patch.result(over: entity?.get(Reader.Root.self), with: later) {
    case .unchanged: return .none
    case .removed: return current == nil ? .none : .forbidden
    case .set(let component):
      let key = reader.get(component)
      guard let current else { return key == key ? .new(AnyHashable(key)) : .invalid }
      return key == current ? .none : .forbidden
    }
  }

  func key(in component: any Component) -> AnyHashable? {
    (component as? Reader.Root).map { AnyHashable(reader.get($0)) }
  }

  func comparable(_ key: AnyHashable) -> AnyHashable {
    Reader.Value.self == TextKey.self ? TextKey.comparable(key) : key
  }

  func find(_ key: AnyHashable) -> Entity? {
    (key.base as? Reader.Value).flatMap { index.holder(of: $0) }
  }

  func create(_ component: any Component) -> Entity? {
    (component as? Reader.Root).map { index.getOrCreate($0) }
  }
}
