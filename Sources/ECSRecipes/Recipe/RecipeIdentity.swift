import ECS
import Foundation

/// What finds the entity that data is about, whatever the types.
protocol IdentityMapping: AnyObject, Sendable {
  var cid: CID { get }
  var keyPath: any AnyKeyPath & Sendable { get }

  /// A number for the key path: looking a key path up takes longer than all the rest.
  var number: Int { get }
  var fieldName: String { get }

  /// The key in the data, if the field at a position of the mapping is in it.
  func key(in patch: (any Patch)?, field position: Int) -> AnyHashable?

  /// The key that an entity has; nil if it has none.
  func key(of entity: Entity) -> AnyHashable?

  /// An index over a context; nil if entities have the same key there already.
  func makeIndex(in context: Context) -> (any IdentityIndex)?
}

/// A primary index, whatever its types.
protocol IdentityIndex: AnyObject, Sendable {
  var cid: CID { get }
  var number: Int { get }
  var keyPath: any AnyKeyPath & Sendable { get }

  /// What patches of the component make of the key of an entity.
  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange

  /// The key of a component.
  func key(in component: any Component) -> AnyHashable?

  /// The entity that has a key, or comes to have it.
  func find(_ key: AnyHashable) -> Entity?

  /// The entity that has the key in a patch, if the field at a position of the mapping is in it.
  func find(_ patch: any Patch, field position: Int) -> Entity?

  /// Makes an entity with a component.
  func create(_ component: any Component) -> Entity?

  /// Keeps the key of a component for an entity that gets it when an iteration ends.
  func expect(_ component: any Component, of entity: Entity)
}

/// What becomes of a key of an entity.
enum KeyChange {
  case none

  /// The entity gets a key and had none.
  case new(AnyHashable)

  /// The entity has another key, or would lose its own.
  case forbidden
}

/// Numbers of key paths, in the order in which they were first asked for.
enum KeyPathNumbers {
  private static let lock = NSLock()

  // Guarded by `lock`.
  nonisolated(unsafe) private static var numbers: [AnyKeyPath: Int] = [:]

  static func number(of keyPath: AnyKeyPath) -> Int {
    lock.withLock {
      if let number = numbers[keyPath] { return number }
      numbers[keyPath] = numbers.count
      return numbers.count - 1
    }
  }
}

final class KeyPathIdentity<C: Component, Key: Hashable & Sendable>: IdentityMapping {
  let field: any KeyPath<C, Key> & Sendable
  let number: Int

  init(field: any KeyPath<C, Key> & Sendable) {
    self.field = field
    number = KeyPathNumbers.number(of: field)
  }

  var cid: CID { C.cid }
  var keyPath: any AnyKeyPath & Sendable { field }
  var fieldName: String { name(of: field) }

  func key(in patch: (any Patch)?, field position: Int) -> AnyHashable? {
    guard let patch, let component: C = component(in: patch, saying: position) else { return nil }
    return AnyHashable(component[keyPath: field])
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
  let number: Int

  init(index: PrimaryIndex<C, Key>, field: any KeyPath<C, Key> & Sendable) {
    (self.index, self.field) = (index, field)
    number = KeyPathNumbers.number(of: field)
  }

  var cid: CID { C.cid }
  var keyPath: any AnyKeyPath & Sendable { field }

  func change(of entity: Entity?, by patch: any Patch, with later: [any Patch]) -> KeyChange {
    guard let patch = patch as? any ComponentPatch<C> else { return .none }
    let current = entity.flatMap { index.key(of: $0) }
    switch patch.result(over: entity?.get(C.self), with: later) {
    case .unchanged: return .none
    case .removed: return current == nil ? .none : .forbidden
    case .set(let component):
      let key = component[keyPath: field]
      guard let current else { return .new(AnyHashable(key)) }
      return key == current ? .none : .forbidden
    }
  }

  func key(in component: any Component) -> AnyHashable? {
    (component as? C).map { AnyHashable($0[keyPath: field]) }
  }

  func find(_ key: AnyHashable) -> Entity? { (key.base as? Key).flatMap { index.holder(of: $0) } }

  func find(_ patch: any Patch, field position: Int) -> Entity? {
    guard let component: C = component(in: patch, saying: position) else { return nil }
    return index.holder(of: component[keyPath: field])
  }

  func create(_ component: any Component) -> Entity? {
    (component as? C).map { index.getOrCreate($0) }
  }

  func expect(_ component: any Component, of entity: Entity) {
    guard let component = component as? C else { return }
    index.reserve(component[keyPath: field], for: entity)
  }
}

/// The component in a patch, if it says something about the field at a position.
private func component<C: Component>(in patch: any Patch, saying position: Int) -> C? {
  if let patch = patch as? FieldwisePatch<C> {
    return patch.present.contains(position) ? patch.values : nil
  }
  return (patch as? WholePatch<C>)?.component
}
