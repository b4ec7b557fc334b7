import Dispatch
import ECS
import ExampleSupport

// MARK: Identity, one component for each kind of entity

/// Identifies an author: the name after `.mailmap`, as `git shortlog` tells authors apart.
struct AuthorKey: Component {
  let id: NameID
  let name: RawText
}

struct FileKey: Component {
  let id: NameID
  let path: RawText
}

struct DirectoryKey: Component {
  let path: RawText
}

/// Identifies a day, in days since January 1, 1970.
struct DayKey: Component {
  let day: Int
}

/// Identifies a week by its Monday, in days since January 1, 1970.
struct WeekKey: Component {
  let monday: Int
}

/// Identifies a commit by its hash, in as little space as a hash takes.
struct CommitKey: Component, Hashable, Comparable {
  private let words: (UInt64, UInt64, UInt64, UInt64)
  private let digitCount: Int

  init(hexadecimal digits: ArraySlice<UInt8>) {
    digitCount = digits.count
    func word(_ index: Int) -> UInt64 {
      let start = min(digits.startIndex + index * 16, digits.endIndex)
      var word: UInt64 = 0
      for place in start..<min(start + 16, digits.endIndex) {
        // Letters are 9 beyond what their last four bits say.
        word = word << 4 | UInt64(digits[place] & 0xF) + (digits[place] & 0x40 == 0 ? 0 : 9)
      }
      return word
    }
    words = (word(0), word(1), word(2), word(3))
  }

  var hexadecimal: String {
    let digits = [words.0, words.1, words.2, words.3].enumerated().map { index, word in
      let count = max(0, min(16, digitCount - index * 16))
      let text = String(word, radix: 16)
      return count == 0 ? "" : String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits.joined()
  }

  static func == (left: CommitKey, right: CommitKey) -> Bool {
    left.words == right.words && left.digitCount == right.digitCount
  }

  /// The order of the hexadecimal digits.
  static func < (left: CommitKey, right: CommitKey) -> Bool { left.words < right.words }

  func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

// MARK: What is known of them

/// How often something changed, and by how many lines: on authors, files, directories, weeks.
struct Tally: Component, Equatable {
  var commits = 0
  var added = 0
  var deleted = 0

  var changedLines: Int { added + deleted }

  static func += (left: inout Tally, right: Tally) {
    left.commits += right.commits
    left.added += right.added
    left.deleted += right.deleted
  }
}

/// When an author has committed first and last, in seconds since January 1, 1970.
struct Period: Component {
  var first: Int
  var last: Int

  mutating func include(_ date: Int) {
    first = min(first, date)
    last = max(last, date)
  }
}

/// The addresses that an author has committed with.
struct Addresses: Component {
  var all: [NameID]
}

/// The paths at which a file was before.
struct FormerPaths: Component {
  var all: [NameID] = []
}

/// Marks files that are not there any more.
struct IsGone: Component {}

/// Since when a path leads nowhere, as its file was moved.
struct MovedAway: Component {
  let date: Int
}

/// What a commit did, on commit entities.
struct CommitSummary: Component {
  let date: Int
  let subject: RawText
  let files: Int
  let added: Int
  let deleted: Int

  var changedLines: Int { added + deleted }
}

// MARK: How they belong together

/// From a commit to its author.
enum WrittenBy: ToOneRelation {}

/// From a file to the authors that have changed it.
enum ChangedBy: Relation {}

/// From a file to the directory that it is in.
enum InDirectory: ToOneRelation {}

/// From the file at a path to the file that it was moved to.
enum MovedTo: ToOneRelation {}

// MARK: Events, which live until each system has seen them

/// Announces a commit that a parser has read.
struct CommitEvent: Component {
  let commit: ParsedCommit
}

/// The author of the commit of an event.
struct AuthoredBy: Component {
  let author: Entity
}

/// The files that the commit of an event touched, each once.
struct TouchedFiles: Component {
  let files: [Entity]
}

/// A place in the pipeline, which is free again when the last event of its batch is destroyed.
final class PlaceInPipeline: Component {
  private let places: DispatchSemaphore

  init(_ places: DispatchSemaphore) { self.places = places }

  deinit { places.signal() }
}

// MARK: Of which there is one

/// The names and addresses of authors, and the paths of files.
struct Names: UniqueComponent {
  let people = NameTable()
  let paths = NameTable()
}

struct Configuration: UniqueComponent {
  /// Commits that touch more files than this don't count for pairs: they tell little about how
  /// files belong together, and have pairs by the thousand.
  var mostFilesForPairs = 16
}

/// What adds up over the whole history.
struct Totals: UniqueComponent {
  var tally = Tally()
  var merges = 0
  var renames = 0
  var binaryChanges = 0

  /// The number of commits whose changes are not known, as their parents were cut off.
  var cutOff = 0

  /// The commits of each hour of a week, by the clocks of their authors.
  var hours = [Int](repeating: 0, count: 7 * 24)
  var firstDate: Int?
  var lastDate: Int?

  mutating func add(_ commit: ParsedCommit) {
    tally += commit.tally
    cutOff += commit.isCutOff ? 1 : 0
    merges += commit.parents > 1 ? 1 : 0
    for change in commit.changes {
      renames += change.formerPath != nil ? 1 : 0
      binaryChanges += change.isBinary ? 1 : 0
    }
    hours[commit.hourOfWeek] += 1
    firstDate = min(firstDate ?? commit.date, commit.date)
    lastDate = max(lastDate ?? commit.date, commit.date)
  }
}

struct Progress: UniqueComponent {
  var commits = 0

  /// The number of commits to expect, once it is known.
  var expected: Int?

  /// Whether it takes so long that people want to see it.
  var isShown = false

  /// How long it has taken; commits may not come for a while.
  var seconds = 0
}

/// How often files changed together.
struct PairCounts: UniqueComponent {
  let table = PairTable()
}

/// What went wrong on a parser's thread.
struct ParserFailure: UniqueComponent {
  let failure: Failure
}
