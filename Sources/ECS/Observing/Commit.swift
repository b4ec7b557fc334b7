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
  private let notes: CommitRecord

  /// Which changes are delivered; nil for all that were noted.
  // PERFORMANCE: J2: a reference that is not there is not counted.
  private let otherChoice: JournalFilter?

  /// Where the notes begin that are delivered.
  private let start: UndoLog.Position

  /// Its place among the commits of the context since it was made.
  ///
  /// Numbers rise, and leave out commits without changes that the journal tells.
  public var number: Int { Int(clamping: notes.number) }

  /// When it ended, since January 1, 1970, UTC, as of the last tick of the system's clock, which is
  /// some milliseconds apart.
  public var time: Duration { .nanoseconds(notes.time) }

  /// How many commits an asynchronous sequence has dropped between the one before and this one.
  public internal(set) var droppedBefore = 0

  /// How many the sequence had been sent before; see `droppedBefore`.
  var place = 0

  init(
    _ notes: CommitRecord, _ otherChoice: JournalFilter?, behind start: UndoLog.Position
  ) {
    self.notes = notes
    self.otherChoice = otherChoice
    self.start = start
  }

  private var choice: JournalFilter { otherChoice ?? notes.choice }

  /// Why its changes were made, in the order of the first change of each cause, without those that
  /// are unknown.
  ///
  /// - Complexity: O(*k*), where *k* is the number of changes.
  public var causes: [Cause] {
    var seen: Set<UInt32> = [0]
    return compactMap { seen.insert($0.noted.causeNumber).inserted ? $0.cause : nil }
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

extension Commit: CustomStringConvertible {
  /// The number and the changes, a line each.
  public var description: String {
    (["commit \(number)"] + map { "  \($0)" }).joined(separator: "\n")
  }
}
