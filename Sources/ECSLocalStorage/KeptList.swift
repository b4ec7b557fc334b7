public import ECS
public import ECSRecipes
import Foundation
import Synchronization

/// All entities of a recipe as one value of a storage, kept again whenever one of them comes,
/// changes or goes: for few that belong together, such as what waits to be sent.
///
/// ```swift
/// let noted = try KeptList(RemoteMutation.recipe, in: storage, mapper)   // what was kept is in the context
/// let loop = ReactiveLoop(ctx: context, queue: queue, systems: [noted, sender])
/// ```
///
/// As a system, it keeps the list in each pass of a loop in which something has changed that the
/// recipe maps: a component, a nested entity, a link of a relation. Components that other entities
/// have as well make it look at the list more often. A link through closures is kept
/// with the next change. If that fails, the loop's error handler is called, and the next try keeps
/// all. ``StorageBackend`` keeps
/// lists with its entities.
public final class KeptList: ReactiveSystem, Sendable {
  /// Some of the entities with anything that the recipe maps that have come, changed or gone: that
  /// there is one is what counts.
  public let collector: Collector

  /// The mapping.
  public let recipe: Recipe

  private let storage: any KeyValueStorage
  private let mapper: Mapper
  private let key: String?
  private let group: Group

  // The number of the last snapshot. It is counted in the section of the snapshot.
  private let taken = Mutex(0)

  // That of the last one that was written; changed in turn.
  private let written = Mutex(0)

  // Recursive, since the storage may be used by any code. No thread waits for a section while it
  // holds the lock.
  private let turn = NSRecursiveLock()

  /// Makes a list, and makes or updates the entities that are kept.
  ///
  /// - Parameters:
  ///   - recipe: The mapping. All entities that have the component of its identity are in the list.
  ///   - storage: Where it is kept.
  ///   - mapper: A mapper of the entities' context.
  ///   - key: Under which key; by default `<recipe>[]`, as `Mapper.saveList` has it.
  /// - Precondition: The recipe has an identity.
  /// - Throws: ``StorageError``; nothing has changed then.
  public init(
    _ recipe: Recipe, in storage: any KeyValueStorage, _ mapper: Mapper, key: String? = nil
  ) throws(StorageError) {
    guard let component = recipe.key?.component else {
      stop("A list of the recipe '\(recipe.name)' was to be kept: give it an identity.")
    }
    try mapper.loadList(recipe, from: storage, key: key)
    group = mapper.context.group(Matcher(all: [component]))
    collector = KeptList.makeCollector(recipe, in: mapper.context)
    (self.recipe, self.storage, self.mapper, self.key) = (recipe, storage, mapper, key)
  }

  /// Collects the changes of all that the data of a recipe comes from.
  private static func makeCollector(_ recipe: Recipe, in context: Context) -> Collector {
    var (recipes, next) = ([recipe], 0)
    while next < recipes.count {
      for relation in recipes[next].relations where !recipes.contains(relation.recipe) {
        recipes.append(relation.recipe)
      }
      next += 1
    }
    var components = Set(recipes.flatMap { $0.components.map(\.component) })
    var relations: [any Relation.Type] = []
    for relation in recipes.flatMap(\.relations) {
      switch relation.link.kind {
      case .targets(let type), .sources(let type): relations.append(type)
      case .field(_, let cid): components.insert(cid)
      case .custom: break
      }
    }
    let group = context.group(Matcher(any: components))
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved, limit: 1024)
    for relation in relations { collector.collectLinks(of: relation) }
    return collector
  }

  /// Keeps the list now; one that is kept already is not written again.
  ///
  /// When it returns, the storage has what the context had when it was called, or something newer,
  /// even while another thread saves.
  ///
  /// - Throws: ``StorageError``.
  /// - Complexity: O(*n*), where *n* is the number of entities, plus what the storage takes.
  public func save() throws(StorageError) {
    let key = try mapper.listKey(key, recipe)
    let (value, number) = try mapper.context.perform { () throws(StorageError) in
      let value = try mapper.listForStorage(group.sorted(), recipe)
      let number = taken.withLock { last in
        last += 1
        return last
      }
      return (value, number)
    }
    turn.lock()
    defer { turn.unlock() }
    // A newer one was written meanwhile.
    if written.withLock({ $0 > number }) { return }
    // What can't be read is written over.
    if (try? storage.value(for: key)) != value { try storage.set(value, for: key) }
    written.withLock { $0 = max($0, number) }
  }

  /// Keeps the list.
  ///
  /// - Throws: ``StorageError``.
  public func execute(entities: EntitySet) throws { try save() }
}
