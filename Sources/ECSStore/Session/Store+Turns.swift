#if SQLite
  extension Store {
    /// Runs a body while no other process does the same; inside of another one at once.
    ///
    /// The hub is locked.
    func inTurn<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
      guard let turn = hub.turn, !hub.isInTurn else { return try body() }
      guard turn.lock(waiting: options.busyTimeout) else {
        throw .locked(waited: options.busyTimeout)
      }
      hub.isInTurn = true
      defer {
        hub.isInTurn = false
        turn.unlock()
      }
      return try body()
    }
  }
#endif
