import ECS

/// The identity that an entity had for the server before it was deleted here, beside the mutation
/// that does it.
// It is not kept: what may come back is known to one process.
struct FormerIdentity: Component {
  let entity: Entity
  let copies: ServerCopy?
}
