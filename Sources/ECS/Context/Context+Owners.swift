extension Context {
  /// Ends observations that are bound to an owner.
  ///
  /// - Parameters:
  ///   - owner: The owner of the observations that end.
  ///   - name: The name of the observation to end; nil for all of them.
  public func stopObserving(by owner: AnyObject, name: String? = nil) {
    core.section { state.notifier.owners.existing(owner)?.end(name) }
  }

  /// The number of observations that are bound to an owner.
  public func observerCount(of owner: AnyObject) -> Int {
    core.readingSection(keepsNothing: true) { state.notifier.owners.existing(owner)?.count ?? 0 }
  }

  /// The names of the observations that are bound to an owner, in the order in which they began.
  public func observerNames(of owner: AnyObject) -> [String] {
    core.readingSection(keepsNothing: true) {
      state.notifier.owners.existing(owner)?.all.compactMap(\.name) ?? []
    }
  }
}
