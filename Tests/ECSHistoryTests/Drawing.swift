import ECS
import ECSHistory
import ECSTestSupport

enum Likes: Relation {}
enum InLayer: ToOneRelation {}
enum OwnedBy: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }

/// It is not recorded.
enum Follows: Relation {}

/// Without `==`.
struct Opaque: Component { let text: String }

func drawing() -> (Context, UndoHistory) {
  let context = Context()
  let history = UndoHistory(
    context, of: Position.self, Name.self, Settings.self, Opaque.self,
    relations: [Likes.self, InLayer.self, OwnedBy.self, ChildOf.self])
  return (context, history)
}

/// What a closure collects.
// Filled in critical sections of one context, and read outside of them.
final class Lines: @unchecked Sendable {
  private var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
