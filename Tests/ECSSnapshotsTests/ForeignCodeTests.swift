import Dispatch
import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Transformers, migrations and `Codable` conformances may do anything, such as wait for another
/// thread that uses the context: they don't run while its lock is held.
@Suite(.noHangs) struct ForeignCodeTests {
  private struct Note: Component, Equatable {
    var text = Text("")
    var about: Entity?
    var others: [Entity] = []
  }

  private struct Text: Sendable, Equatable {
    var letters: String
    init(_ letters: String) { self.letters = letters }
  }

  private struct Setting: Component, Codable, Equatable {
    var value = 0
    init() {}
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Int.self)
      Visitor.current?.visit()
    }
    func encode(to encoder: any Encoder) throws {
      Visitor.current?.visit()
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private static func schema(version: Int, _ visitor: Visitor) throws -> Schema {
    let transformer = Transformer<Text>("Text") { (data) throws(TransformFailure) in
      visitor.visit()
      return Text(data.string ?? "")
    } encode: { (text) throws(TransformFailure) in
      visitor.visit()
      return .string(text.letters)
    }
    return try Schema("notes") {
      let note = Stored(of: Note(), as: "note", version: version) {
        Field(\.text, at: "text", as: transformer)
        Field(\.about, at: "about")
        Field(\.others, at: "others")
      }
      if version > 1 {
        note.migrating(from: 1) { old in
          visitor.visit()
          old["text"] = .string((old["text"]?.string ?? "") + "!")
        }
      } else {
        note
      }
      Stored(Setting.self, as: "setting")
      Stored(of: Book(), as: "book") { Field(\.isbn, at: "isbn") }
        .leaving(\.title, \.pages, \.tags, \.published, \.id)
    }
  }

  @Test(arguments: [1, 2])
  func `code of the program runs outside of the critical section`(version: Int) throws {
    let (context, target) = (Context(), Context())
    let visitor = Visitor([context, target])
    let first = context.createEntity(with: Book(isbn: "1"), Setting())
    first.set(Note(text: Text("a"), about: first, others: [first]))
    let old = try Self.schema(version: 1, visitor)
    let schema = try Self.schema(version: version, visitor)
    try Visitor.$current.withValue(visitor) {
      let snapshot = try context.snapshot(old)
      try snapshot.restore(into: target, schema)
      let restored = try #require(target.group(Note.matcher).first)
      let text = Text(version == 1 ? "a" : "a!")
      expectEqual(restored.get(Note.self), Note(text: text, about: restored, others: [restored]))
      let index = target.primaryIndex { (book: Book) in book.isbn }
      try expectEqual(snapshot.merge(into: target, schema, by: index).merged, 1)
      let json = try snapshot.json(old)
      try Snapshot(json: json, schema).merge(into: target, schema, by: index)
      expectEqual(restored.get(Note.self)?.about, restored)
    }
    expectGreaterThan(visitor.calls.value, 10)
    expectEqual(visitor.late.value, 0)
  }
}

/// Waits for another thread that uses contexts.
private final class Visitor: Sendable {
  @TaskLocal static var current: Visitor?

  let (calls, late) = (Tally(), Tally())
  private let contexts: [Context]

  init(_ contexts: [Context]) { self.contexts = contexts }

  func visit() {
    calls.add()
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "visitor").async { [contexts] in
      for context in contexts { context.perform {} }
      done.signal()
    }
    if done.wait(timeout: .now() + 5) == .timedOut { late.add() }
  }
}
