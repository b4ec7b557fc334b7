import Dispatch
import ECS
import ExampleSupport
import Foundation

/// The report while it comes in, and for as long as it is looked at.
///
/// Everything here belongs to one queue, on which live views tell what has changed and keys arrive. The
/// screen is drawn some times a second, if there was a change, and only the lines that differ.
final class Dashboard {
  /// What the reader of the history is doing.
  enum State: Equatable {
    case reading
    case catchingUp
    case watching(_ notice: String?)
  }

  /// What is beside the authors.
  enum Side: String, CaseIterable {
    case files
    case directories
    case commits = "largest commits"

    var next: Side {
      let all = Side.allCases
      return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
  }

  let context: Context
  let title: String
  let terminal = Terminal(STDOUT_FILENO)
  let authors: Pane
  let files: Pane
  let directories: Pane
  let commits: Pane
  let weeks: LiveView
  private(set) var state = State.reading
  private(set) var pulse = Pulse()

  /// The author that the arrow keys have come to, and the one that was chosen.
  private(set) var cursor: Entity?
  private(set) var author: Entity?
  private(set) var side = Side.files

  /// What was typed; nil if nothing was begun.
  private(set) var filter: String?

  /// Few of the commits are worth a look.
  private static let largestCount = 50

  private let screen = FullScreen(takesControlKeys: true)
  private let queue: DispatchQueue
  private let timer: any DispatchSourceTimer
  private var weeksSubscription: Subscription?
  private var drawn: [String] = []
  private var isDirty = true

  init(_ context: Context, title: String, queue: DispatchQueue) {
    (self.context, self.title, self.queue) = (context, title, queue)
    timer = DispatchSource.makeTimerSource(queue: queue)
    authors = Pane("Authors", context.ranking(by: \AuthorKey.name), on: queue) {
      Pane.Row($0, \AuthorKey.name)
    }
    files = Pane(
      "Files", context.presentFiles.ranked(by: \FileKey.path), on: queue, keepsEnd: true
    ) {
      Pane.Row($0, \FileKey.path)
    }
    directories = Pane(
      "Directories", context.ranking(by: \DirectoryKey.path), on: queue, keepsEnd: true
    ) {
      Pane.Row($0, \DirectoryKey.path, empty: "(top level)")
    }
    commits = Pane(
      "Largest commits", columns: ["files", "lines"],
      context.commits.largestFirst(Dashboard.largestCount), on: queue
    ) {
      Pane.Row(commit: $0)
    }
    weeks = context.group(Matcher(all: [WeekKey.cid, Tally.cid])).sorted(by: \WeekKey.monday)
  }

  /// Begins to show what is there; call it, and all that follows, on the queue.
  func start() {
    let dashboard = Isolated(self)
    for pane in panes {
      pane.onChange = { dashboard.value?.note($0) }
    }
    weeksSubscription = weeks.observe(initial: false, on: queue) { change in
      dashboard.value?.note(change.difference.touchedRows)
    }
    screen.onChange { [queue] in
      queue.async { dashboard.value?.drawAnew() }
    }
    timer.schedule(deadline: .now(), repeating: .milliseconds(80))
    timer.setEventHandler { dashboard.value?.tick() }
    timer.resume()
  }

  /// All that is shown, or would be if there were room.
  var panes: [Pane] { [authors, files, directories, commits] }

  /// The keys that are pressed, until the terminal is gone.
  var keys: AsyncStream<Key> { screen.keys() }

  /// Gives the terminal back.
  func stop() {
    timer.cancel()
    screen.stop()
  }

  /// Notes what the reader of the history does now.
  func enter(_ state: State) {
    let commits = context.uniqueComponent(Progress.self)?.commits ?? 0
    switch state {
    case .reading, .catchingUp: pulse.begin(at: commits)
    case .watching: pulse.end(at: commits)
    }
    self.state = state
    isDirty = true
  }

  private func note(_ rows: Int) {
    pulse.touch(rows)
    isDirty = true
  }

  // MARK: Keys

  /// Does what a key is for; false if it ends the program.
  func take(_ key: Key) -> Bool {
    switch key {
    case .control("c"), .control("d"), .control("q"): return false
    case .character("q") where filter == nil: return false
    case .up: moveCursor(by: -1)
    case .down: moveCursor(by: 1)
    case .pageUp: moveCursor(by: -10)
    case .pageDown: moveCursor(by: 10)
    case .home: moveCursor(by: -authors.view.count)
    case .end: moveCursor(by: authors.view.count)
    case .tab: side = side.next
    case .enter: choose(cursor, filter)
    case .escape: choose(nil, nil)
    case .backspace: choose(author, filter.flatMap { $0.isEmpty ? nil : String($0.dropLast()) })
    case .character("/") where filter == nil: choose(author, "")
    case .character(let character): choose(author, (filter ?? "") + String(character))
    default: break
    }
    isDirty = true
    return true
  }

  private func moveCursor(by distance: Int) {
    let count = authors.view.count
    // The first step is onto the first one.
    let place = cursor.flatMap { authors.view.position(of: $0) }.map { $0 + distance } ?? 0
    cursor = authors.view[max(0, min(place, count - 1))]
  }

  /// Shows the files and commits that are related to an author, which is asked from the other end of
  /// the relations, or all of them if nil; of these the ones with a text in their paths or subjects.
  private func choose(_ author: Entity?, _ filter: String?) {
    if author == nil { cursor = nil }
    (self.author, self.filter) = (author, filter)
    let present = context.presentFiles
    let candidates = author.map { $0.sources(ChangedBy.self).view(in: present) } ?? present.view()
    let text = Array((filter ?? "").lowercased().utf8)
    func matching(_ view: LiveView) -> LiveView {
      text.isEmpty ? view : view.filtered { (key: FileKey) in key.path.containsIgnoringCase(text) }
    }
    files.show(matching(candidates).ranked(by: \FileKey.path))
    let all = context.ranking(by: \DirectoryKey.path)
    directories.show(
      text.isEmpty
        ? all : all.filtered { (key: DirectoryKey) in key.path.containsIgnoringCase(text) })
    let written =
      author.map { $0.sources(WrittenBy.self).view(in: context.commits) } ?? context.commits.view()
    let largest = written.largestFirst(Dashboard.largestCount)
    commits.show(
      text.isEmpty
        ? largest
        : largest.filtered { (summary: CommitSummary) in
          summary.subject.containsIgnoringCase(text)
        })
  }

  // MARK: Drawing

  private func tick() {
    if state == .reading {
      let commits = context.uniqueComponent(Progress.self)?.commits ?? 0
      if pulse.beat(at: commits) { isDirty = true }
    }
    if isDirty || panes.contains(where: \.hasMarks) { draw() }
  }

  private func drawAnew() {
    drawn = []
    screen.write("\u{1B}[2J")
    draw()
  }

  private func draw() {
    isDirty = false
    let size = FullScreen.size
    let lines = Array(lines(size.columns, size.rows).prefix(size.rows))
    var text = ""
    for (row, line) in lines.enumerated() where row >= drawn.count || drawn[row] != line {
      // Behind the last column there is nothing to clear but that column.
      let isFull = terminal.visibleColumns(line) >= size.columns
      text += "\u{1B}[\(row + 1);1H\(line)\(isFull ? "" : "\u{1B}[K")"
    }
    if lines.count < drawn.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    drawn = lines
    // Terminals that support these show a drawing as a whole.
    if !text.isEmpty { screen.write("\u{1B}[?2026h\(text)\u{1B}[?2026l") }
  }
}

extension Context {
  /// The files of which nothing says that they are gone.
  fileprivate var presentFiles: Group {
    group(Matcher(all: [FileKey.cid, Tally.cid], none: [IsGone.cid]))
  }
}
