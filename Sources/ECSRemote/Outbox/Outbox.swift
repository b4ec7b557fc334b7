import ECS
import ECSRecipes
import Foundation

/// What is known of the mutations of a context, and of what was written while lists were read.
// Guarded by its lock; the indexes by the context.
final class Outbox: @unchecked Sendable {
  /// An entity on the server.
  struct Place: Hashable, Sendable {
    /// The component of the key, which resources of one kind share.
    let component: CID
    let key: JSONValue

    init?(_ key: JSONValue?, of resource: Resource) {
      guard let key, key != .null, let component = resource.recipe.key?.component else {
        return nil
      }
      (self.component, self.key) = (component, key)
    }
  }

  private let numbers: OrderedIndex<Int>
  private let subjects: Index<String>
  private let keys: Index<JSONValue>
  private let doubtful: Index<Bool>
  private let drafts: Index<String>
  private let lock = NSLock()
  private var resources: [String: Resource] = [:]
  private var readers = 0
  private var moment = 0
  private var writes: [Place: Int] = [:]

  init(_ context: Context) {
    numbers = context.orderedIndex { (mutation: RemoteMutation) in mutation.number }
    subjects = context.index { (mutation: RemoteMutation) in mutation.subject }
    keys = context.index(keys: { (mutation: RemoteMutation) in
      mutation.key == .null ? [] : [mutation.key]
    })
    drafts = context.index { (draft: RemoteDraft) in draft.id }
    doubtful = context.index(keys: { (mutation: RemoteMutation) in
      mutation.kind == .create && mutation.attempts > 0 ? [true] : []
    })
  }

  // MARK: Resources

  func register(_ resource: Resource) { lock.withLock { resources[resource.name] = resource } }

  func resource(named name: String) -> Resource? { lock.withLock { resources[name] } }

  var allResources: [Resource] {
    lock.withLock { resources.values.sorted { $0.name < $1.name } }
  }

  // MARK: Mutations; in a section of the context

  var isEmpty: Bool { numbers.isEmpty }

  var nextNumber: Int { (numbers.max ?? 0) + 1 }

  /// Mutations that may have made something on the server whose key is not known.
  var doubtfulCreations: EntitySet { doubtful[true] }

  /// The entity that is to be made on the server, by the subject of its mutations.
  func draft(_ subject: String) -> Entity? { drafts.first(for: subject) }

  /// Mutations from the oldest on.
  func mutations(at positions: Range<Int>) -> EntitySet { numbers.entities(at: positions) }

  var count: Int { numbers.count }

  /// The mutations of a subject, oldest first.
  func mutations(of subject: String) -> [Entity] { sorted(subjects[subject]) }

  /// The mutations of an entity, oldest first.
  func mutations(of entity: Entity) -> [Entity] {
    isEmpty ? [] : sorted(entity.sources(Mutates.self).entities())
  }

  /// The mutations of what has a key, oldest first.
  func mutations(at place: Place) -> [Entity] {
    isEmpty
      ? []
      : sorted(keys[place.key]).filter { entity in
        entity.get(RemoteMutation.self).flatMap { resource(named: $0.resource) }?
          .recipe.key?.component == place.component
      }
  }

  private func sorted(_ entities: EntitySet) -> [Entity] {
    let numbered = entities.compactMap { entity in
      entity.get(RemoteMutation.self).map { (entity, $0.number) }
    }
    return numbered.sorted { $0.1 < $1.1 }.map(\.0)
  }

  // MARK: Reads and writes

  // A list is as old as its request: what was written since is newer. Returns the moment.
  func beginReading() -> Int {
    lock.withLock {
      readers += 1
      return moment
    }
  }

  func endReading() {
    lock.withLock {
      readers -= 1
      if readers == 0 { writes = [:] }
    }
  }

  /// Something was written on the server.
  func noteWriting(_ place: Place?) {
    guard let place else { return }
    lock.withLock {
      guard readers > 0 else { return }
      moment += 1
      writes[place] = moment
    }
  }

  /// Whether something was written on the server after a moment.
  func wasWritten(_ place: Place, after moment: Int) -> Bool {
    lock.withLock { writes[place].map { $0 > moment } ?? false }
  }

  /// Whether anything was.
  func wasAnythingWritten(after moment: Int) -> Bool { lock.withLock { self.moment > moment } }
}
