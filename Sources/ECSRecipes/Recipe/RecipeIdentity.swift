public import ECS
import Foundation

/// The mapping by which the entity is found that data is about, whatever the types.
protocol IdentityMapping: AnyObject, Sendable {
  var cid: CID { get }
  var keyPath: any AnyKeyPath & Sendable { get }

  /// A number for the key path: looking a key path up takes longer than all the rest.
  var number: Int { get }
  var fieldName: String { get }

  /// The key in the data, if the field at a position of the mapping is in it.
  func key(in patch: (any Patch)?, field position: Int) -> AnyHashable?

  /// The component as far as the data says it, if the field at a position of the mapping is in it.
  func component(in patch: (any Patch)?, field position: Int) -> (any Component)?

  /// The key that an entity has; nil if it has none.
  func key(of entity: Entity) -> AnyHashable?

  /// An index over a context; nil if entities have the same key there already.
  func makeIndex(in context: Context) -> IdentityIndex?
}

/// Numbers of key paths, in the order in which they were first asked for.
enum KeyPathNumbers {
  private static let lock = NSLock()

  // Guarded by `lock`.
  @safe nonisolated(unsafe) private static var numbers: [AnyKeyPath: Int] = [:]

  static func number(of keyPath: AnyKeyPath) -> Int {
    lock.withLock {
      if let number = numbers[keyPath] { return number }
      numbers[keyPath] = numbers.count
      return numbers.count - 1
    }
  }
}

@usableFromInline
final class KeyPathIdentity<C: Component, Key: Hashable & Sendable>: IdentityMapping {
  let field: any KeyPath<C, Key> & Sendable
  let number: Int
  private let make: @Sendable (Context) -> IdentityIndex?

  @usableFromInline
  init(
    _ field: any KeyPath<C, Key> & Sendable,
    making make: @escaping @Sendable (Context) -> IdentityIndex?
  ) {
    (self.field, self.make) = (field, make)
    number = KeyPathNumbers.number(of: field)
  }

  @inlinable
  convenience init(field: any KeyPath<C, Key> & Sendable) {
    let reader = FieldReader(field)
    self.init(field) { context in
      if Key.self == String.self {
        return KeyPathIdentity.index(TextKeyReader(reader), field, in: context)
      }
      return KeyPathIdentity.index(FieldKeyReader(reader), field, in: context)
    }
  }

  @inlinable
  static func index<Reader: KeyReader>(
    _ reader: Reader, _ field: any KeyPath<C, Key> & Sendable, in context: Context
  ) -> IdentityIndex? where Reader.Root == C {
    let index = context.primaryIndex(paused: true) { (component: C) in reader.get(component) }
    guard (try? index.resume()) != nil else { return nil }
    return IdentityIndex.over(index, reader, field)
  }

  let cid = C.cid
  var keyPath: any AnyKeyPath & Sendable { field }
  var fieldName: String { name(of: field) }

  func key(in patch: (any Patch)?, field position: Int) -> AnyHashable? {
    if let patch = patch as? FieldwisePatch<C> {
      return patch.says(position) ? AnyHashable(patch.values[keyPath: field]) : nil
    }
    return (patch as? WholePatch<C>)?.component.map { AnyHashable($0[keyPath: field]) }
  }

  func component(in patch: (any Patch)?, field position: Int) -> (any Component)? {
    if let patch = patch as? FieldwisePatch<C> {
      return patch.says(position) ? patch.values : nil
    }
    return (patch as? WholePatch<C>)?.component
  }

  func key(of entity: Entity) -> AnyHashable? {
    entity.get(C.self).map { AnyHashable($0[keyPath: field]) }
  }

  func makeIndex(in context: Context) -> IdentityIndex? { make(context) }
}
