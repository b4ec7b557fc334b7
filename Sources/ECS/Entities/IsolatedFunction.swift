/// A way to call functions that may belong to an actor where that actor is known to be.
///
/// The caller makes sure that the actor that they belong to is the one that runs.
enum IsolatedFunction {
  /// A function without what is known of its isolation.
  static func erasingIsolation<Argument>(
    of function: @escaping @isolated(any) (Argument) throws -> Void
  ) -> (Argument) throws -> Void {
    // SAFETY: functions that are isolated dynamically are called as all others are, once the caller
    // is where they belong; only the type says otherwise.
    unsafe unsafeBitCast(function, to: ((Argument) throws -> Void).self)
  }

  /// A function without what is known of its isolation.
  static func erasingIsolation(
    of function: @escaping @isolated(any) () throws -> Void
  ) -> () throws -> Void {
    // SAFETY: as above.
    unsafe unsafeBitCast(function, to: (() throws -> Void).self)
  }
}
