import Dispatch
import ECS
import ExampleSupport

/// A part of the screen that shows the first rows of a live view.
///
/// What comes, moves and changes is known from the differences that the view tells: nothing is
/// compared, and nothing is read but the rows that can be seen.
final class Pane {
  /// What has happened to a row of late.
  private enum Mark {
    case came, rose, fell, changed

    func text(isRich: Bool) -> String {
      switch self {
      case .came: "+"
      case .rose: isRich ? "↑" : "^"
      case .fell: isRich ? "↓" : "v"
      case .changed: isRich ? "·" : "."
      }
    }
  }

  /// What a row says.
  struct Row {
    let name: String

    /// One for each column of numbers.
    let numbers: [Int]
  }

  let title: String
  private let columns: [String]
  private(set) var view: LiveView
  private let queue: DispatchQueue
  private let keepsEnd: Bool
  private let row: (Entity) -> Row?

  /// Gets, on the queue, how many rows a change has touched.
  var onChange: (_ rows: Int) -> Void = { _ in }
  private var subscription: Subscription?
  private var marks: [Entity: (mark: Mark, end: ContinuousClock.Instant)] = [:]

  /// Long enough to be seen.
  private static let duration = Duration.milliseconds(1500)

  /// Begins to show a view.
  ///
  /// - Parameters:
  ///   - title: What stands above it.
  ///   - columns: What the numbers of each row are.
  ///   - view: What is shown at first.
  ///   - queue: What the pane belongs to.
  ///   - keepsEnd: Whether the end of a name that is too long is kept, as for paths.
  ///   - row: What the row of an entity says.
  init(
    _ title: String, columns: [String] = ["commits", "lines"], _ view: LiveView,
    on queue: DispatchQueue, keepsEnd: Bool = false, row: @escaping (Entity) -> Row?
  ) {
    (self.title, self.columns, self.view, self.queue) = (title, columns, view, queue)
    (self.keepsEnd, self.row) = (keepsEnd, row)
    show(view)
  }

  /// Shows another view.
  func show(_ view: LiveView) {
    self.view = view
    marks = [:]
    let pane = Isolated(self)
    subscription = view.observe(initial: false, on: queue) { change in
      pane.value?.note(change.difference)
    }
  }

  private func note(_ difference: LiveViewDifference) {
    let end = ContinuousClock.now + Pane.duration
    for place in difference.updates { marks[place.entity] = (.changed, end) }
    for move in difference.moves {
      marks[move.entity] = (move.to < move.from ? .rose : .fell, end)
    }
    for place in difference.insertions { marks[place.entity] = (.came, end) }
    for place in difference.removals { marks[place.entity] = nil }
    onChange(difference.touchedRows)
  }

  /// Whether there are marks that have to go some time.
  var hasMarks: Bool { !marks.isEmpty }

  /// The head and the rows, as many as there is room for, around the one that is selected.
  func lines(
    _ rows: Int, _ width: Int, on terminal: Terminal, selection: Entity? = nil
  ) -> [String] {
    let now = ContinuousClock.now
    marks = marks.filter { $0.value.end > now }
    // Numbers are for what is left when names can be read.
    let numbers = zip(columns, [9, 12]).prefix(width < 24 ? 0 : width < 36 ? 1 : 2)
    let nameWidth = max(0, width - 2 - numbers.reduce(0) { $0 + $1.1 })
    let head = padded(shortened("\(title) \(grouped(view.count))", to: nameWidth), nameWidth)
    let titles = numbers.map { padded($0.0, $0.1, right: true) }.joined()
    var lines = [terminal.styled("  \(head)", .title) + terminal.styled(titles, .dim)]
    let room = max(0, rows - 1)
    let place = selection.flatMap { view.position(of: $0) } ?? 0
    let first = max(0, place - room + 1)
    for place in first..<(first + room) {
      guard let entity = view[place], let row = row(entity) else { break }
      let text = shortened(
        printable(row.name), to: nameWidth, mark: terminal.ellipsis,
        keepsEnd: keepsEnd)
      let cells = zip(row.numbers, numbers).map {
        padded(grouped($0), $1.1, right: true)
      }
      let mark = marks[entity]?.mark
      let line =
        (mark?.text(isRich: terminal.isRich) ?? " ") + " " + padded(text, nameWidth)
        + cells.joined()
      let style: Terminal.Style? =
        entity == selection ? .selected : mark.map { $0 == .fell ? .deleted : .added }
      lines.append(style.map { terminal.styled(line, $0) } ?? line)
    }
    return lines
  }
}

extension LiveViewDifference {
  /// How many rows have come, gone, moved or changed.
  var touchedRows: Int { insertions.count + removals.count + moves.count + updates.count }
}

extension Pane.Row {
  /// The row of an author, a file or a directory; nil if the entity is none.
  init?<Key: Component>(_ entity: Entity, _ name: KeyPath<Key, RawText>, empty: String = "") {
    guard let key = entity.get(Key.self), let tally = entity.get(Tally.self) else { return nil }
    let text = key[keyPath: name].string
    self.init(name: text.isEmpty ? empty : text, numbers: [tally.commits, tally.changedLines])
  }

  /// The row of a commit; nil if the entity is none.
  init?(commit: Entity) {
    guard let key = commit.get(CommitKey.self), let summary = commit.get(CommitSummary.self) else {
      return nil
    }
    self.init(
      name: "\(key.hexadecimal.prefix(7)) \(summary.subject.string)",
      numbers: [summary.files, summary.changedLines])
  }
}
