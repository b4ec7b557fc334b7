#if SQLite
  extension Store {
    /// Runs a body while no other process does the same; inside of another one at once.
    ///
    /// The hub is locked.
    func withFileLock<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result
    {
      guard let fileLock = hub.fileLock, !hub.hasFileLock else { return try body() }
      guard fileLock.lock(waiting: options.busyTimeout) else {
        throw .locked(waited: options.busyTimeout)
      }
      hub.hasFileLock = true
      defer {
        hub.hasFileLock = false
        fileLock.unlock()
      }
      return try body()
    }
  }
#endif
