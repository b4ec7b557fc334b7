import ECS

/// A part of a schema, whatever its type.
public struct SchemaPart: Sendable {
  enum Content: Sendable {
    case component(any ComponentPart)
    case excluded(CID)
    case links(any LinkCodec)
  }

  let content: Content
}
