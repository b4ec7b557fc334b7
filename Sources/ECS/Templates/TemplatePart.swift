/// A component, or a child, of a ``Template``.
public struct TemplatePart: Sendable {
  enum Content: Sendable {
    case component(any Component)
    case child(Child)
  }

  let content: Content
}
