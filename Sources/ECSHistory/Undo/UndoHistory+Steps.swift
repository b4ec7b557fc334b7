public import ECS

extension UndoHistory {
  /// Calls a closure after each change of a group that a step makes, takes back by ``undo(_:)``, or
  /// makes again by ``redo(_:)``, in the section of the step.
  ///
  /// For what has to follow the steps of a user, undone ones included, and no other changes: an
  /// outbox for a server, an index of texts, a log. What the closure changes is in the same commit;
  /// if it is of what the history lists, it is a part of the step.
  ///
  /// An entity of the group is updated, too, when links of a relation that the history lists come,
  /// go or are moved of which it is the source, whatever happens to the target. Such a change has
  /// no component and no values, and comes after those that have.
  ///
  /// ```swift
  /// let notes = history.observeSteps(of: context.group(Dish.self)) {
  ///   remote.changeLater($0, as: menu)
  /// }
  /// ```
  ///
  /// A change of an outermost section in which ``group(_:file:line:_:)`` is called counts as one of
  /// the step, as it does for the history. A step that throws, and an undo that meets an
  /// ``UndoConflict``, call nothing.
  ///
  /// - Parameters:
  ///   - group: A group of the history's context.
  ///   - name: Names the observer.
  ///   - file: Where the observation begins, for the `Cause` of what the closure changes.
  ///   - line: The line in the file.
  ///   - body: Called with each change.
  /// - Returns: A token; releasing it ends the observation. It does not keep the history, without
  ///   which nothing is called.
  /// - Complexity: That of `observeChanges(_:name:on:file:line:_:)`, and O(1) for each link of a
  ///   listed relation.
  public func observeSteps(
    of group: Group, name: String? = nil, file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    let subscription = group.observeChanges(name: name, file: file, line: line) {
      [weak self] change in
      if let self, self.isInStep { body(change) }
    }
    guard !relations.isEmpty else { return subscription }
    let sources = LinkedSources(of: group, relations)
    let links = sources.observe(initial: false, name: name, file: file, line: line) {
      [weak self] sources in
      let changes = sources.drain()
      if let self, self.isInStep { for change in changes { body(change) } }
    }
    return Subscription(subscription, and: links)
  }
}
