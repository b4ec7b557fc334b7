/// All that an outermost change of a context has changed: its changes in the order in which they
/// were made, with old and new values.
///
/// A commit is a call that changes the context by itself, or all changes of a
/// ``Context/perform(_:)`` or a ``Context/transaction(_:)``, together with what observers in the
/// critical section changed when it ended. Journals tell commits in the order in which they were
/// made; see ``Journal``.
///
/// A commit can be kept, and passed on to other threads: what it tells stays as it was. Values that
/// it keeps alive end with it.
public struct Commit: Sequence, Sendable {
  fileprivate let notes: CommitRecord

  /// Which changes are delivered; nil for all that were noted.
  // PERFORMANCE: J2: a reference that is not there is not counted.
  fileprivate let otherChoice: JournalFilter?

  /// Where the notes begin that are delivered.
  fileprivate let start: UndoLog.Position

  /// Its ordinal among the commits of the context since it was made.
  ///
  /// Numbers rise, and leave out commits without changes that the journal tells.
  public var number: Int { Int(clamping: notes.number) }

  /// When it ended, since January 1, 1970, UTC, as of the last tick of the system's clock, which is
  /// some milliseconds apart.
  public var time: Duration { .nanoseconds(notes.time) }

  /// How many commits an asynchronous sequence has dropped between the one before and this one.
  public internal(set) var droppedBefore = 0

  /// How many the sequence had been sent before; see `droppedBefore`.
  var position = 0

  init(
    _ notes: CommitRecord, _ otherChoice: JournalFilter?, behind start: UndoLog.Position
  ) {
    self.notes = notes
    self.otherChoice = otherChoice
    self.start = start
  }

  fileprivate var choice: JournalFilter { otherChoice ?? notes.choice }

  /// Why its changes were made, in the order of the first change of each cause, without those that
  /// are unknown.
  ///
  /// - Complexity: O(*k*), where *k* is the number of changes.
  public var causes: [Cause] {
    var seen: Set<UInt32> = [0]
    return compactMap { seen.insert($0.noted.causeID).inserted ? $0.cause : nil }
  }

  /// Says that it is about to be sent to another thread; called within a section.
  func noteSending() { notes.isSent = true }

  /// The bytes that it takes, of all changes, and without what values refer to.
  package var byteCount: Int { notes.byteCount }

  var core: Core { notes.core }
  var incarnation: Int { notes.incarnation }

  /// Gives the changes of a commit.
  public struct Iterator: IteratorProtocol {
    private let notes: CommitRecord
    private let choice: JournalFilter
    private var cursor: CommitRecord.Cursor

    init(
      _ notes: CommitRecord, _ choice: JournalFilter, behind start: UndoLog.Position
    ) {
      self.notes = notes
      self.choice = choice
      cursor = CommitRecord.Cursor(behind: start)
    }

    /// The next change; nil behind the last one.
    public mutating func next() -> CommittedChange? {
      notes.next(&cursor, choice).map { CommittedChange($0, choice) }
    }
  }

  /// Goes through the changes, in the order in which they were made.
  public func makeIterator() -> Iterator { Iterator(notes, choice, behind: start) }
}

extension ValueTracker {
  /// Takes in what a commit has changed of values; calls a closure with changes of links.
  package func add(_ commit: Commit, _ link: (CommittedChange) -> Void) {
    let choice = commit.otherChoice
    add(commit.notes, choice, behind: commit.start) {
      link(CommittedChange($0, choice ?? $0.commit.choice))
    }
  }

  /// Notes what a commit has changed that is part of no step.
  package func noteForeign(_ commit: Commit) {
    noteForeign(commit.notes, commit.otherChoice, behind: commit.start)
  }
}

extension CommitLog {
  /// Makes an empty log for commits of a journal.
  package convenience init(_ journal: Journal, memory: Int) {
    self.init(journal.core, journal.choice, memory: memory)
  }

  /// Keeps a copy of a commit, and return addresses with it.
  package func append(_ commit: Commit, _ addresses: [UInt]) {
    append(commit.notes, behind: commit.start, addresses)
  }

  /// Visits copies of the commits that are kept, the newest first, with the return addresses that
  /// were kept with them; returns how many were dropped.
  ///
  /// Called without the lock, which is taken for a moment. At any time there are copies of one
  /// block, besides those that the body keeps.
  @discardableResult
  package func visitNewestFirst(_ body: (Commit, _ addresses: [UInt]) -> Void) -> Int {
    let (snapshots, droppedCount) = core.readingSection { (self.snapshots(), self.droppedCount) }
    for snapshot in snapshots.reversed() {
      for (record, addresses) in snapshot.commits(choice).reversed() {
        body(Commit(record, nil, behind: .start), addresses)
      }
    }
    return droppedCount
  }
}

extension Commit: CustomStringConvertible {
  /// The number and the changes, a line each.
  public var description: String {
    (["commit \(number)"] + map { "  \($0)" }).joined(separator: "\n")
  }
}
