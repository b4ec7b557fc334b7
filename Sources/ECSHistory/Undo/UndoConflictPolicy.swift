/// The treatment of what others have changed since a step.
public enum UndoConflictPolicy: Hashable, Sendable {
  /// The step is not touched, and ``UndoConflict`` is thrown.
  case refuse

  /// The values of the step replace what is there. What is dead for ever stays so.
  ///
  /// Another entity that holds a unique component, or has a key of a primary index, that the step
  /// gives away loses the component. What the step destroys takes along what delete rules say.
  case overwrite
}
