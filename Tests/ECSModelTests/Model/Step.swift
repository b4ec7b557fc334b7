import ECS

/// The entity that a step is about.
enum Target: Sendable {
  /// The one with this number; entities are numbered as they are made.
  case number(Int)

  /// The one that the surrounding step or the observed change is about.
  case subject
}

/// A component to be: what kind, and its number.
struct Value: Equatable, Sendable {
  var kind: Int
  var number: Int
}

/// What a matcher says.
struct Filter: Hashable, Sendable {
  var all: Set<Int> = []
  var any: Set<Int> = []
  var none: Set<Int> = []
}

/// What an observer does when it is notified of a change.
struct Reaction: Sendable {
  var steps: [Step] = []
}

/// Which changes an observer is notified of.
enum Subject: Equatable {
  case entity(Int)
  case group(Int)
  case context
}

/// How a group is iterated over.
enum Style: Sendable {
  case closure
  case chunks
  case parallel
}

/// An iteration with closures or chunks.
struct Visit: Sendable {
  var group: Int
  var style: Style
  var mutated: [Int] = []
  var read: [Int] = []

  /// What is added to mutated numbers.
  var by = 0

  /// Done at the visit with this number, while the iteration runs.
  var inside: [Int: [Step]] = [:]

  /// The visit that throws, if one does.
  var throwing: Int?
}

/// Ways to take entities out of a collector.
enum Drain: CaseIterable, Sendable {
  case all
  case into
  case matching
  case first
  case andPause
}

/// One step of a program.
///
/// Steps that name what is not there do nothing.
indirect enum Step: Sendable {
  case create([Value], then: [Step])
  case createMany(Int, [Value])
  case set(Target, Value)
  case setIfChanged(Target, Value)
  case update(Target, Value, inside: [Step], throwing: Bool)
  case remove(Target, Int)
  case destroy(Target)
  case destroyAll
  case read(Target, Int)

  case setUnique(Value)
  case removeUnique(Int)
  case updateUnique(Value)
  case withUnique(Value, [Step])

  case getOrCreate(Int)
  case assign(Target, Int)

  case perform([Step], throwing: Bool)
  case forEach(Int, [Step])
  case visit(Visit)

  case makeGroup(Filter)
  case makeCollector(Int, ChangeKinds, paused: Bool, limit: Int?)
  case releaseCollector(Int)
  case pauseCollector(Int, Bool)
  case drain(Int, Drain)
  case makeIndex(Int, several: Bool, paused: Bool)
  case releaseIndex(Int)
  case pauseIndex(Int, Bool)
  case observeGroup(Int, ChangeKinds, Reaction)
  case observeEntity(Target, ChangeKinds, Reaction)
  case observeContext(Reaction)
  case cancel(Int)
  case compact
}

// MARK: For the listing of a program that failed

extension Target: CustomStringConvertible {
  var description: String {
    switch self {
    case .number(let number): "#\(number)"
    case .subject: "subject"
    }
  }
}

extension Value: CustomStringConvertible {
  var description: String { "\(Kind.types[kind])(\(number))" }
}

extension Filter: CustomStringConvertible {
  var description: String { "all \(all.sorted()) any \(any.sorted()) none \(none.sorted())" }
}
