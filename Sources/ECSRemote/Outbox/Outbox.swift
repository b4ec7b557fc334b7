import ECS
import ECSRecipes
import Foundation

/// The mutations of a context, and what was written while lists were read.
// Guarded by its lock; the indexes by the context.
final class Outbox: @unchecked Sendable {
  /// An entity on the server.
  struct Address: Hashable, Sendable {
    /// The component of the key, which resources of one kind share.
    let component: CID

    /// The key in the form in which entities are written.
    let key: JSONValue

    init?(_ key: JSONValue?, of resource: Resource) {
      guard let key, key != .null, let component = resource.key?.component else {
        return nil
      }
      (self.component, self.key) = (component, (try? resource.recipe.writtenKey(key)) ?? key)
    }

    /// What a record of a recipe is about.
    init?(_ record: JSONValue, of recipe: Recipe) {
      guard let field = recipe.key, let key = record[field.path], key != .null else { return nil }
      (self.component, self.key) = (field.component, (try? recipe.writtenKey(key)) ?? key)
    }
  }

  private let mutations: Group
  private let numbers: OrderedIndex<Int>
  private let subjects: Index<String>
  private let keys: Index<JSONValue>
  private let doubtful: Index<Bool>
  private let new: Index<Bool>
  private let drafts: Index<String>
  private let former: Index<Entity>
  private let lock = NSLock()
  private var resources: [String: Resource] = [:]
  private var readers = 0
  private var moment = 0
  private var writes: [Address: Writing] = [:]
  private var sent: Set<Entity> = []

  init(_ context: Context) {
    mutations = context.group(RemoteMutation.matcher)
    numbers = context.orderedIndex { (mutation: RemoteMutation) in mutation.number }
    subjects = context.index { (mutation: RemoteMutation) in mutation.subject }
    keys = context.index(keys: { (mutation: RemoteMutation) in
      mutation.key == .null ? [] : [mutation.key]
    })
    drafts = context.index { (draft: RemoteDraft) in draft.id }
    former = context.index { (known: FormerIdentity) in known.entity }
    new = context.index(keys: { (mutation: RemoteMutation) in
      mutation.kind == .create ? [true] : []
    })
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

  // PERFORMANCE: A group is asked sooner than an index (H1, H2).
  var isEmpty: Bool { mutations.isEmpty }

  var nextNumber: Int { (numbers.max ?? 0) + 1 }

  /// Mutations that make something on the server.
  var creations: EntitySet { isEmpty ? EntitySet() : new[true] }

  /// Mutations that may have made something on the server whose key is not known.
  var doubtfulCreations: EntitySet { doubtful[true] }

  /// The entity that is to be made on the server, by the subject of its mutations.
  func draft(_ subject: String) -> Entity? { drafts.first(for: subject) }

  /// The last deletion of what an entity was in a resource that was not tried; nil if there is
  /// none.
  func deletion(of entity: Entity, _ resource: Resource) -> Entity? {
    if isEmpty { return nil }
    return sorted(former[entity]).last { deletion in
      deletion.get(RemoteMutation.self).map {
        $0.attempts == 0 && $0.resource == resource.name
      } ?? false
    }
  }

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
  func mutations(at address: Address) -> [Entity] {
    isEmpty
      ? []
      : sorted(keys[address.key]).filter { entity in
        entity.get(RemoteMutation.self).flatMap { resource(named: $0.resource) }?
          .key?.component == address.component
      }
  }

  private func sorted(_ entities: EntitySet) -> [Entity] {
    let numbered = entities.compactMap { entity in
      entity.get(RemoteMutation.self).map { (entity, $0.number) }
    }
    return numbered.sorted { $0.1 < $1.1 }.map(\.0)
  }

  // MARK: Direct requests

  /// A request that saves or deletes an entity begins; in the section that takes what it is.
  func beginSending(_ entity: Entity) { lock.withLock { _ = sent.insert(entity) } }

  /// Nothing is under way about an entity any more.
  func endSending(_ entity: Entity) { lock.withLock { _ = sent.remove(entity) } }

  var isAnythingSent: Bool { lock.withLock { !sent.isEmpty } }

  /// Whether an entity is being saved or deleted, and was not answered.
  func isBeingSent(_ entity: Entity) -> Bool { lock.withLock { sent.contains(entity) } }

  // MARK: Reads and writes

  private struct Writing {
    let moment: Int

    /// The change that a feed has sent; nil if that was not all since the first present reader
    /// began.
    let told: JSONValue?
  }

  // An answer is as old as its request: what was written since is newer. Returns the moment.
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

  /// Something was written on the server, whose answer is known here.
  func noteWriting(_ address: Address?) { note(address) { _ in nil } }

  /// A feed has sent something: what it is, or null if it was deleted.
  func noteTelling(_ address: Address?, _ data: JSONValue) {
    note(address) { old in
      guard let old else { return data }
      return old.told.map { $0.applying(data) }
    }
  }

  // The server has sent a tag: what lists say that were asked for before may be older, and is not
  // to have it.
  func noteTag(_ address: Address?) { note(address) { _ in .object([:]) } }

  private func note(_ address: Address?, _ told: (Writing?) -> JSONValue?) {
    guard let address else { return }
    lock.withLock {
      guard readers > 0 else { return }
      moment += 1
      writes[address] = Writing(moment: moment, told: told(writes[address]))
    }
  }

  /// Whether something is read besides what has just been answered.
  // PERFORMANCE: Mostly nothing is, and the key need not be looked at (H2).
  var isMoreRead: Bool { lock.withLock { readers > 1 } }

  var isAnythingRead: Bool { lock.withLock { readers > 0 } }

  /// Whether something was written on the server after a moment.
  func wasWritten(_ address: Address, after moment: Int) -> Bool {
    lock.withLock { writes[address].map { $0.moment > moment } ?? false }
  }

  /// The change of something that a feed has sent while others read, if nothing else was written;
  /// null if it was deleted.
  func told(_ address: Address) -> JSONValue? { lock.withLock { writes[address]?.told } }

  /// Whether anything was.
  func wasAnythingWritten(after moment: Int) -> Bool { lock.withLock { self.moment > moment } }
}
