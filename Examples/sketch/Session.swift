import ECS
import ECSHistory
import ECSSnapshots
import ExampleSupport
import Foundation

/// A drawing that is worked on, and the files that belong to it.
struct Session {
  private let file: URL
  private let autosave: URL
  private let schema: Schema
  private var drawing: Drawing
  private var upkeep: Upkeep

  /// What an earlier run has left unsaved, until it is decided what to do with it.
  private var found: Snapshot?

  init(file: URL) throws(Failure) {
    self.file = file
    autosave = file.appendingPathExtension("autosave")
    let saved = try Session.read(file)
    found = try Session.read(autosave)
    do {
      schema = try SketchFile.schema()
      drawing = try Drawing(saved, schema)
    } catch {
      throw Session.refused(file, error)
    }
    upkeep = Upkeep(drawing, schema, autosave: autosave)
  }

  private static func read(_ url: URL) throws(Failure) -> Snapshot? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do {
      return try Snapshot(contentsOf: url)
    } catch {
      throw refused(url, error)
    }
  }

  private static func refused(_ url: URL, _ error: any Error) -> Failure {
    Failure(message: "can't open \(url.path): \(error)", exitCode: EX_DATAERR)
  }

  /// Carries out commands to the end; returns the exit status.
  mutating func run() throws(Failure) -> Int32 {
    let prompt = try Prompt(
      "sketch> ",
      greeting: """
        \(drawing.shapes.count) shapes. Try: box 2 1 12 4, oval 4 2 6 2 red, show
        'help' lists the commands, 'quit' ends; what is not saved is kept.

        """)
    if let found {
      try say("Found unsaved changes, \(found.entityCount) entities: recover or discard?")
    }
    var (number, status) = (0, EXIT_SUCCESS)
    try prompt.show()
    while let line = readLine() {
      number += 1
      let words = line.split(separator: " ").map(String.init)
      if words == ["quit"] { return status }
      defer { try? prompt.show() }
      if words.isEmpty { continue }
      if words == ["help"] {
        try OutputFile.show(SketchProgram.help)
        continue
      }
      if try !carryOut(words) {
        warn("line \(number): can't do '\(printable(line))'")
        status = EX_DATAERR
      }
      upkeep.loop.runUntilSettled()
    }
    try prompt.end()
    return status
  }

  /// Says a line, in which names from a file may be.
  private func say(_ line: String) throws(Failure) { try OutputFile.show(printable(line) + "\n") }

  // MARK: Commands

  /// Carries out a command; false if there is none such.
  private mutating func carryOut(_ words: [String]) throws(Failure) -> Bool {
    guard found == nil || ["recover", "discard"].contains(words[0]) else {
      try say("First: recover or discard?")
      return false
    }
    switch (words[0], words.count) {
    case ("box", 5...6), ("oval", 5...6), ("text", 4...): return try draw(words)
    case ("layer", 2...): drawing.useLayer(words.dropFirst().joined(separator: " "))
    case ("move", 4), ("paint", 3), ("delete", 2...): return change(words)
    case ("undo", 1), ("redo", 1): return try step(words[0])
    case ("show", 1): try OutputFile.show(Canvas(drawing).text + "\n")
    case ("list", 1): try list()
    case ("export", 2): return export(words[1])
    case ("save", 1): return save()
    case ("recover", 1): return try recover()
    case ("discard", 1): return try discard()
    case ("crash", 1): kill(getpid(), SIGKILL)
    default: return false
    }
    return true
  }

  private func draw(_ words: [String]) throws(Failure) -> Bool {
    let isText = words[0] == "text"
    let numbers = words[1..<(isText ? 3 : 5)].compactMap { Session.place($0) }
    guard numbers.count == (isText ? 2 : 4), let kind = Figure.Kind(rawValue: words[0]) else {
      return false
    }
    var figure = Figure(kind: kind)
    var frame = Frame(x: numbers[0], y: numbers[1])
    var ink = Ink()
    if isText {
      figure.text = String(words[3...].joined(separator: " ").prefix(200))
      frame.width = Int32(printable(figure.text).count)
    } else {
      (frame.width, frame.height) = (numbers[2], numbers[3])
      guard frame.width >= 2, frame.height >= 2 else { return false }
      if words.count == 6 {
        guard Session.isColor(words[5]) else { return false }
        ink.color = words[5]
      }
    }
    try say("\(kind) \(drawing.draw(figure, frame, ink))")
    return true
  }

  private func change(_ words: [String]) -> Bool {
    if words[0] == "delete", words[1] == "layer", words.count > 2 {
      return drawing.deleteLayer(words[2...].joined(separator: " "))
    }
    guard let number = Int(words[1]), let shape = drawing.shape(number) else { return false }
    switch (words[0], words.count) {
    case ("move", 4):
      guard let x = Session.place(words[2]), let y = Session.place(words[3]) else { return false }
      drawing.move(shape, x: x, y: y)
    case ("paint", 3):
      guard Session.isColor(words[2]) else { return false }
      drawing.paint(shape, words[2])
    case ("delete", 2): drawing.delete(shape)
    default: return false
    }
    return true
  }

  private func step(_ verb: String) throws(Failure) -> Bool {
    do {
      let name = verb == "undo" ? try drawing.history.undo() : try drawing.history.redo()
      try say(name.map { "\(verb): \($0)" } ?? "nothing to \(verb)")
      return true
    } catch let failure as Failure {
      throw failure
    } catch {
      warn("\(error)")
      return false
    }
  }

  private func list() throws(Failure) {
    for shape in drawing.shapes {
      guard let frame = shape.get(Frame.self), let color = shape.get(Ink.self)?.color else {
        continue
      }
      let layer = shape.target(InLayer.self)?.get(Layer.self)?.name ?? "no layer"
      try say("\(shape.label) at \(frame.x), \(frame.y) in \(color), \(layer)")
    }
    let history = drawing.history
    try say("undo: \(history.undoName ?? "-"), redo: \(history.redoName ?? "-")")
  }

  // MARK: Files

  private func export(_ path: String) -> Bool {
    do {
      let output = try OutputFile(path)
      try output.write(SVGPicture.text(of: drawing))
      try output.close()
      return true
    } catch {
      warn(reason(of: error))
      return false
    }
  }

  private func save() -> Bool {
    // What is about to be saved beside the file must not come after it.
    upkeep.loop.runUntilSettled()
    do {
      try drawing.context.snapshot(schema).write(to: file)
    } catch {
      warn("can't save \(file.path): \(error)")
      return false
    }
    try? FileManager.default.removeItem(at: autosave)
    return true
  }

  private mutating func recover() throws(Failure) -> Bool {
    guard let found else { return false }
    do {
      drawing = try Drawing(found, schema)
    } catch {
      warn("can't recover: \(error)")
      return false
    }
    upkeep = Upkeep(drawing, schema, autosave: autosave)
    self.found = nil
    try say("recovered \(drawing.shapes.count) shapes")
    return true
  }

  private mutating func discard() throws(Failure) -> Bool {
    guard found != nil else { return false }
    found = nil
    try? FileManager.default.removeItem(at: autosave)
    try say("discarded")
    return true
  }

  // MARK: Arguments

  private static func place(_ word: String) -> Int32? {
    Int32(word).flatMap { (-1000...1000).contains($0) ? $0 : nil }
  }

  /// Whether it is a name of a color, or its digits, as pictures write them.
  private static func isColor(_ word: String) -> Bool {
    let digits = word.hasPrefix("#") ? word.dropFirst() : nil
    if let digits { return [3, 6].contains(digits.count) && digits.allSatisfy(\.isHexDigit) }
    return (1...20).contains(word.count) && word.allSatisfy { ("a"..."z").contains($0) }
  }
}
