import ECS

// A book, an author, a friend or a tag is an entity with some of these.

struct Title: Component { let text: String }

struct Name: Component { let text: String }

/// How far a book was read.
struct Bookmark: Component, Equatable {
  var page = 0
  let pages: Int

  /// How much is read, in percent.
  var share: Int { page * 100 / max(1, pages) }
  var isAtEnd: Bool { page >= pages }
}

struct Genre: Component { let name: String }

/// Marks books that were read to the end.
struct IsRead: Component {}

// How they belong together, and what happens when one end goes.

/// From a book to its author: it goes with them.
enum WrittenBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }

/// From a book to its borrowers: none may be forgotten before giving it back.
enum LentTo: ToOneRelation { static let deleteRule = DeleteRule.deny }

/// From a book to its tags: without a tag it is still a book.
enum TaggedWith: Relation { static let deleteRule = DeleteRule.nullify }
