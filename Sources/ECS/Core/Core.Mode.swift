extension Core {
  /// Why changes cannot be made right away.
  @usableFromInline
  struct Mode: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt16
    @inlinable init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An iteration is running: changes are queued until it ends.
    @usableFromInline static let iterating = Mode(rawValue: 1)

    // Code of the user's runs that must not change the context: changes are programmer errors.
    // One of these at a time, the innermost, which is the one to blame.
    static let buildingKeys = Mode(rawValue: 2)
    static let filtering = Mode(rawValue: 4)
    static let sorting = Mode(rawValue: 8)
    static let walking = Mode(rawValue: 16)

    /// A transaction runs: changes are made right away, on the general paths, which note them.
    @inlinable static var recording: Mode { Mode(rawValue: 32) }

    /// There are journals: changes are made right away, and noted as in a transaction.
    @inlinable static var journaling: Mode { Mode(rawValue: 64) }

    /// Journals are notified of what an outermost change has changed.
    static let telling = Mode(rawValue: 128)

    static let usingColumns = Mode(rawValue: 256)

    /// A section that only reads runs inside of another one.
    static let reading = Mode(rawValue: 512)

    /// Rows are to be kept as they are: changes are made right away, on the general paths, which
    /// copy them before.
    @inlinable static var frozen: Mode { Mode(rawValue: 1024) }

    /// Whether changes are made right away.
    @inlinable
    @inline(__always)
    var accepts: Bool { rawValue & ~1120 == 0 }

    /// Whether there is something wrong with changes, now and later.
    // INVARIANT: all of what `refusal` asks for.
    @inline(__always)
    var refuses: Bool { rawValue & ~1121 != 0 }

    /// Whether changes are noted, or copies made before.
    @inlinable
    @inline(__always)
    var notes: Bool { rawValue & 1120 != 0 }

    /// The same, while code runs that must not change the context.
    func refusingChanges(_ reason: Mode) -> Mode {
      Mode(rawValue: rawValue & Mode.lasting.rawValue | reason.rawValue)
    }

    /// The same, with changes refused as in another mode: what began or ended meanwhile stays so.
    func refusing(as other: Mode) -> Mode {
      let lasting = Mode.lasting.rawValue
      return Mode(rawValue: rawValue & lasting | other.rawValue & ~lasting)
    }

    private static var lasting: Mode { [.iterating, .recording, .journaling, .frozen] }

    /// What is wrong with a change in this mode; nil if it may be made, now or later.
    var refusal: String? {
      if contains(.buildingKeys) {
        "The key closure of an index, or a closure of an aggregate, called its context to change it: compute keys and values only from the component."
      } else if contains(.filtering) {
        "The filter of a live view called its context to change it: look at the entity, and change it elsewhere, for example in an observer of the view."
      } else if contains(.sorting) {
        "The sort key of a live view or an ordered index, or what compares keys, called its context to change it: compute keys only from the component, and compare them by themselves."
      } else if contains(.walking) {
        "The body of walk(in:_:) called its context to change it: loop over descendants(in:) instead, which allows changes."
      } else if contains(.usingColumns) {
        "A closure that was given columns, or makes components for new entities, or for those that others require, called its context to change it: change it when withColumns(_:) or createEntities has returned."
      } else if contains(.reading) {
        RecursiveLock.readingRefusal
      } else if contains(.telling) {
        "An observer of a journal called its context to change it: a commit is complete when it is told. Change the context elsewhere, for example in a task that iterates over commits(buffering:)."
      } else {
        nil
      }
    }
  }
}
