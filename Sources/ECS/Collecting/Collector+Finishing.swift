extension Collector {
  /// Whether ``finish()`` was called: changes are not collected any more.
  ///
  /// - Complexity: O(1).
  public var isFinished: Bool { core.readingSection(keepsNothing: true) { log.isFinished } }

  /// Ceases to collect changes, for good, without dropping what is collected.
  ///
  /// What was collected can still be drained, and put back with ``restore(_:)``; sequences of
  /// ``values`` deliver it and end. A loop whose systems drain it goes on with the others. Called
  /// within a section, this takes effect when that has ended, so that nothing of it is missing; a
  /// transaction around does not take it back. To begin again, make another collector: ``resume()``
  /// does not.
  ///
  /// ```swift
  /// let saving = Task { for await books in unsaved.values { await save(books) } }
  /// // When the service stops:
  /// unsaved.finish()
  /// await saving.value
  /// ```
  ///
  /// - Complexity: O(1), plus the number of tasks and loops that wait for it.
  public func finish() {
    core.runWhenFree { [core, log] in
      core.section {
        log.isFinished = true
        if let wake = log.wake { core.runAfterUnlock(wake) }
      }
    }
  }
}
