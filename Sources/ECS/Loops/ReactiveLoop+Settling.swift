extension ReactiveLoop {
  /// Makes passes now, while the caller waits, until nothing new is collected.
  ///
  /// For tests and tools. The systems are initialized if they have not been, and run on the loop's
  /// queue as usual, regardless of ``Timing``. Entities that were collected again after an error
  /// are tried once. After `maxPasses` passes that the loop itself caused, and the report about
  /// that, it returns, and the loop goes on by itself. Does nothing while the loop is paused or
  /// after it was cancelled.
  ///
  /// Like any call that waits, this must not be made while the queue waits for the caller: not
  /// inside ``Context/perform(_:)``, for instance, unless already on the loop's queue.
  ///
  /// - Precondition: Not called by a system of this loop.
  public func runUntilSettled() { engine.runUntilSettled() }

  /// Waits until the loop has nothing to do: no pass is running, scheduled or due, nothing new is
  /// collected, and no deadline, period or retry is left whose time had come when this was called.
  ///
  /// Returns at once if there is nothing to do, or if the task is cancelled. A loop that is paused
  /// has nothing to do, and neither has one that waits for a time to come; one that was cancelled
  /// is busy until its systems are torn down. Works of ``onAsync(_:name:limit:_:)`` that
  /// are in flight are waited for in any case.
  public func settled() async { await engine.settled() }
}
