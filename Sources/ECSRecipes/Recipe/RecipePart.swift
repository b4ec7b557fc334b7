/// One part of a recipe; made from ``Fields``, ``AutomaticFields``, ``Flag``, ``Whole``,
/// ``Identity`` or ``Nested``.
public struct RecipePart: Sendable {
  enum Content: Sendable {
    case component(any ComponentPart)
    case identity(any IdentityMapping)
    case nested(Nested)
  }

  let content: Content
}
