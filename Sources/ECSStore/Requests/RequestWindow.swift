#if SQLite
  import ECS

  /// Puts rows of the file and rows that are not saved yet into one order, and takes a part of it.
  struct RequestWindow {
    enum Choice {
      case entity(Entity)

      /// The number of a row of the contents.
      case read(Int)
    }

    private let request: RowRequest
    private let pending: PendingRows

    /// The numbers of pending rows that are still to come, the last first.
    private var rest: [Int]
    private let offset: Int

    /// Behind the last row that is taken; nil if all are.
    let end: Int?
    private var position = 0

    /// What is taken.
    private(set) var choices: [Choice] = []

    /// Rows of the file that were unknown.
    var contents: FileContents

    init(
      _ request: RowRequest, _ pending: PendingRows, offset: Int, limit: Int?,
      contents: FileContents
    ) {
      (self.request, self.pending, self.offset) = (request, pending, offset)
      rest = pending.matching(request).reversed()
      end = limit.map { offset.addingReportingOverflow($0) }
        .flatMap { $0.overflow ? nil : $0.partialValue }
      self.contents = contents
    }

    var isFull: Bool { end.map { position >= $0 } ?? false }

    /// Whether the next row is left out.
    var isBefore: Bool { position < offset }

    mutating func skip() { position += 1 }

    mutating func add(_ choice: Choice) {
      if !isBefore { choices.append(choice) }
      position += 1
    }

    /// Adds the pending rows that come before the present row of a statement; all, if there is
    /// none.
    mutating func addPending(before statement: RowStatement?) {
      if rest.isEmpty { return }
      let values = statement.map(request.sortValues)
      while let next = rest.last, !isFull {
        if let values, request.areInOrder(values, request.sortValues(next, of: pending.rows)) {
          return
        }
        rest.removeLast()
        add(.entity(pending.entities[next]))
      }
    }
  }
#endif
