import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// A context that has books, and finds them by their numbers, for snapshots to be merged into.
struct MergeWorld {
  let context = Context(name: "shop")
  let books: PrimaryIndex<Book, String>

  init() { books = context.primaryIndex { (book: Book) in book.isbn } }

  /// A snapshot, as it is in a file, of a context that a body fills.
  func snapshot(_ build: (Context) throws -> Void) throws -> Snapshot {
    let source = Context()
    try build(source)
    return try Snapshot(try source.snapshot(try sampleSchema()).data)
  }

  @discardableResult
  func merge(_ snapshot: Snapshot, keyless: KeylessPolicy = .create) throws -> RestoreReport {
    try snapshot.merge(into: context, try sampleSchema(), by: books, keyless: keyless)
  }

  /// Why a snapshot can't be merged, and nothing happens; nil if it was merged.
  func error(_ snapshot: Snapshot, keyless: KeylessPolicy = .create) -> SnapshotError? {
    let before = picture(of: context)
    let journal = Counter()
    let token = context.journal().observe { _ in journal.add(1) }
    defer { withExtendedLifetime(token) {} }
    do {
      try merge(snapshot, keyless: keyless)
      return nil
    } catch {
      expectEqual(picture(of: context), before)
      expectEqual(journal.count, 0)
      return error as? SnapshotError
    }
  }

  /// A schema of books that has their numbers alone.
  static func numbers(@SchemaBuilder _ others: () -> [SchemaPart] = { [] }) throws -> Schema {
    try Schema("sample") {
      Stored(of: Book(), as: "book") { Field(\.isbn, at: "isbn") }
        .leaving(\.title, \.pages, \.tags, \.published, \.id)
      others()
    }
  }
}
