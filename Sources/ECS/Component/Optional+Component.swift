// Without this, a closure that takes a component of type `V?` would be converted to one that takes
// a `V`, and an iteration would leave out the entities that have none.
@available(
  *, unavailable,
  message: "In iterations, components to read may be optional; those to change may not."
)
extension Optional: Component where Wrapped: Component {}
