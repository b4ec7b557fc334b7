import ECS

extension Entity {
  /// Whether the entity is alive, and of a context.
  func isHere(in context: Context) -> Bool { isAlive && belongs(to: context) }
}
