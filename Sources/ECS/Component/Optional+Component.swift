// Without this, the compiler would say of a closure with an optional component to change only that
// it is no component. To read, optional components are an `IterationValue`.
@available(
  *, unavailable,
  message: "In iterations, components to read may be optional; those to change may not."
)
extension Optional: Component where Wrapped: Component {}
