import ECS
import ExampleSupport

/// Draws the menu after each pass in which something changed that can be seen in it.
@MainActor final class Display: @MainActor ReactiveSystem {
  let collector: Collector
  private let menu: Menu
  private let write: (String) -> Void

  init(_ menu: Menu, write: @escaping (String) -> Void) {
    self.menu = menu
    self.write = write
    collector = menu.context.collector(
      for: Matcher(
        any: [Value.cid, Selection.cid, Notice.cid, SaveFailure.cid, WindowSize.cid]),
      type: .addedUpdatedOrRemoved)
  }

  /// One drawing for all that changed; it does not matter what.
  func execute(entities: EntitySet) {
    draw()
  }

  func draw() {
    let context = menu.context
    let selection = context.uniqueComponent(Selection.self)?.option
    let lines = menu.shown.map { line(of: $0, isSelected: $0 == selection) }
    let selected = selection.flatMap { menu.shown.position(of: $0) } ?? 0
    let messages = [
      context.uniqueComponent(Notice.self)?.text, context.uniqueComponent(SaveFailure.self)?.text,
    ].compactMap { $0 }
    if let window = context.uniqueComponent(WindowSize.self) {
      draw(lines, selected, messages, in: window)
    } else {
      write((lines + messages).map { $0 + "\n" }.joined() + "\n")
    }
  }

  /// Such as `> [x]   Sound          With a sound`.
  private func line(of option: Entity, isSelected: Bool) -> String {
    let cursor = isSelected ? ">" : " "
    let mark = option.get(Value.self)?.isOn == true ? "x" : " "
    let indentation = String(repeating: "  ", count: option.ancestors().count)
    let title = indentation + (option.get(Title.self)?.text ?? "")
    let description = option.get(Description.self)?.text ?? ""
    return "\(cursor) [\(mark)] \(padded(title + " ", 20))\(description)"
  }

  /// Draws what fits into a terminal: the part of the list around the selection, and a last line.
  private func draw(
    _ lines: [String], _ selected: Int, _ messages: [String], in window: WindowSize
  ) {
    let room = max(window.rows - 2, 1)
    let first = max(min(selected - room / 2, lines.count - room), 0)
    var text = "\u{1B}[H"
    for place in first..<min(first + room, lines.count) {
      let line = shortened(lines[place], to: window.columns)
      text += place == selected ? "\u{1B}[7m\(line)\u{1B}[0m" : String(line)
      text += "\u{1B}[K\r\n"
    }
    let help = "Up, Down: move   Space: switch   q: quit"
    let last = messages.isEmpty ? help : messages.joined(separator: "; ")
    write(text + "\u{1B}[J\r\n\u{1B}[2m\(shortened(last, to: window.columns))\u{1B}[0m")
  }
}
