import ECS
import Foundation

/// Changes of a commit in the order in which they were made, as a recording has them.
struct RecordedPart: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    /// An entity was created; its components follow.
    case created = 1

    /// The same, by `setUniqueComponent(_:)`.
    case held

    /// An entity that was of no concern until now.
    case appeared

    /// A component with which an entity was created.
    case with

    case added
    case replaced
    case removed
    case destroyed
    case linked
    case unlinked

    /// A link has another position among those of one of its ends.
    case moved

    /// The value of the link that comes next.
    case linkValue

    /// The value of a link was replaced.
    case linkUpdated

    var hasValue: Bool {
      self == .with || self == .added || self == .replaced || self == .linkValue
    }
    var isLink: Bool {
      self == .linked || self == .unlinked || self == .moved || self == .linkUpdated
    }

    /// Whether an entity begins.
    var isBeginning: Bool { self == .created || self == .held || self == .appeared }

    /// Whether a component or a relation is meant.
    var hasNumber: Bool { hasValue || isLink || self == .removed }
  }

  struct Change: Hashable, Sendable {
    var kind: Kind

    /// The number of the entity in the recording.
    var entity: UInt32

    /// The number of the cause among those of the recording.
    var cause: UInt32

    /// The number of the component or the relation.
    var number: UInt32 = 0

    /// The number of the target of a link.
    var target: UInt32 = 0

    /// Whether a link was moved among the targets of its source, and the number of the entity that
    /// it comes before; nil if it is the last one.
    var isAmongTargets = false
    var next: UInt32?

    /// The index of the value among those of the component.
    var row = 0

    /// Whether the same was changed, whatever the cause.
    func isSame(as other: Change) -> Bool {
      (kind, entity, number, target, row)
        == (other.kind, other.entity, other.number, other.target, other.row)
        && (isAmongTargets, next) == (other.isAmongTargets, other.next)
    }
  }

  /// Values of a component, in the order of the changes.
  struct Column: Hashable, Sendable {
    var component: UInt32
    var rows: Int
    var lengths: [Int]
    var data: Data

    var blocks: [Range<Int>] {
      var start = 0
      return lengths.map { length in
        defer { start += length }
        return start..<start + length
      }
    }
  }

  /// Changes that begin with those that create entities, if any do.
  ///
  /// So that their values can refer to all entities that are there then.
  struct Batch: Hashable, Sendable {
    var changes: [Change] = []
    var columns: [Column] = []
  }

  var batches: [Batch] = []

  var isEmpty: Bool { batches.isEmpty }
  var changes: [Change] { batches.flatMap(\.changes) }
}

/// A thing that happened in a recording.
enum RecordedItem: Sendable {
  /// Something was changed: directly, and by observers in response.
  case commit(RecordedCommit)

  /// A loop began to do something, as its pass of a number.
  case begin(pass: UInt32, loop: String, phase: LoopFailure.Phase)
  case end(pass: UInt32)
}

struct RecordedCommit: Sendable {
  var number: Int
  var time: Int64

  /// The pass in which it was made, on the thread of the loop; 0 for others.
  var pass: UInt32

  /// The kinds of entities that came up, by the numbers of their components.
  var kinds: [[UInt32]]
  var direct: RecordedPart
  var responses: RecordedPart
}
