/// The ready-made hierarchy: an entity is a child of another, and is destroyed with it.
public enum ChildOf: Hierarchy {
  /// `.cascade`: children are destroyed with their parent.
  public static var deleteRule: DeleteRule { .cascade }
}
