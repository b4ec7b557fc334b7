import ECS
import Foundation

/// The primary indexes of the identities that are used in a context, shared by its mappers: an
/// entity must not get a key that one mapper keeps from another one.
// Guarded by the critical section of `context`, except for `registry`.
final class IdentityIndexes: @unchecked Sendable {
  let context: Context

  /// By the numbers of their key paths.
  private var indexes: [IdentityIndex?] = []
  private var indexesByComponent: [CID: [IdentityIndex]] = [:]

  /// Keys by which others keep the entities.
  var keptKeys: [KeptKey] = []

  var all: [IdentityIndex] { indexes.compactMap(\.self) }

  /// The number of indexes.
  private(set) var count = 0

  private init(_ context: Context) { self.context = context }

  deinit {
    let context = ObjectIdentifier(context)
    // Those that took the place of these may end here, too: release them when the lock is free.
    let successors = IdentityIndexes.lock.withLock {
      let successors = IdentityIndexes.registry[context]?.indexes
      if successors == nil { IdentityIndexes.registry[context] = nil }
      return successors
    }
    withExtendedLifetime(successors) {}
  }

  // MARK: One for each context

  private struct Weak { weak var indexes: IdentityIndexes? }

  private static let lock = NSLock()

  // Guarded by `lock`. A context lives as long as its indexes, so no other one has its address.
  @safe nonisolated(unsafe) private static var registry: [ObjectIdentifier: Weak] = [:]

  /// The indexes of a context, made if there are none.
  static func of(_ context: Context) -> IdentityIndexes {
    lock.withLock {
      if let indexes = registry[ObjectIdentifier(context)]?.indexes { return indexes }
      let indexes = IdentityIndexes(context)
      registry[ObjectIdentifier(context)] = Weak(indexes: indexes)
      return indexes
    }
  }

  // MARK: Indexes

  func index(of identity: any IdentityMapping) -> IdentityIndex? {
    identity.number < indexes.count ? indexes[identity.number] : nil
  }

  /// The index of an identity, made if there is none; nil if entities already have the same key.
  func indexMaking(of identity: any IdentityMapping) -> IdentityIndex? {
    if let index = index(of: identity) { return index }
    guard let index = identity.makeIndex(in: context) else { return nil }
    add(index)
    return index
  }

  func add(_ index: IdentityIndex) {
    while indexes.count <= index.number { indexes.append(nil) }
    if indexes[index.number] == nil { count += 1 }
    indexes[index.number] = index
    indexesByComponent[index.cid, default: []].removeAll { $0.number == index.number }
    indexesByComponent[index.cid, default: []].append(index)
  }

  /// The indexes over a component.
  func indexes(of component: CID) -> [IdentityIndex] {
    count == 0 ? [] : indexesByComponent[component] ?? []
  }
}
