public import Dispatch

/// A subject whose single changes can be observed, each with its old and new values: an entity or a
/// group.
///
/// Use ``ChangeSource/observe(initial:name:on:file:line:_:)`` to learn that it changed, and
/// ``observeChanges(_:name:on:file:line:_:)`` to learn what changed.
///
/// Your own type can be such a source by forwarding the ``ChangeSource/changeSignal`` of an entity
/// or a group.
public protocol SingleChangeSource: ChangeSource {}

extension Entity: SingleChangeSource {}
extension Group: SingleChangeSource {}

extension ChangeSignal {
  /// Whether observers of one component hear of changes that neither ended nor brought a value of
  /// it.
  ///
  /// Those of groups do: an entity may come to match by another component, or no longer match.
  @usableFromInline
  var tellsWithoutValues: Bool { !subject.isEntity }

  /// Begins to tell single changes in the critical section.
  func attachToChanges(
    _ kinds: ChangeKinds, name: String?, by owner: AnyObject?, at location: SourceLocation,
    _ handler: @escaping @Sendable (QueuedChange) -> Void
  ) -> Subscription {
    checkSingleChanges()
    return attach(.change(handler), kinds, name: name, by: owner, at: location)
  }

  /// Begins to tell the values of single changes in the critical section.
  @usableFromInline
  func attachToValues(
    _ kinds: ChangeKinds, name: String?, by owner: AnyObject?, at location: SourceLocation,
    _ handler: ChangeHandler
  ) -> Subscription {
    checkSingleChanges()
    return attach(.values(handler), kinds, name: name, by: owner, at: location)
  }

  /// Begins to tell single changes on a queue: what is read of them in the critical section.
  @usableFromInline
  func attachToChanges<Payload: Sendable>(
    _ kinds: ChangeKinds, name: String?, by owner: AnyObject?, on queue: DispatchQueue,
    reading read: @escaping @Sendable (QueuedChange) -> Payload?,
    _ body: @escaping @Sendable (Payload) -> Void
  ) -> Subscription {
    checkSingleChanges()
    let delivery = QueueDelivery(core, queue, body)
    return attach(
      .change { change in
        if let payload = read(change) { delivery.send(payload) }
      }, kinds, name: name, through: delivery, by: owner)
  }

  /// Begins to put single changes into a mailbox.
  func attachToChanges(_ kinds: ChangeKinds, _ mailbox: Mailbox<Change>) -> Subscription {
    checkSingleChanges()
    let isOfEntity = subject.isEntity
    return attach(
      .change { mailbox.send(Change($0, isOfEntity: isOfEntity)) }, kinds, ended: mailbox.finish)
  }

  private func checkSingleChanges() {
    switch subject {
    case .entity, .group: return
    case .view, .relation, .context, .runaways, .journal, .other:
      stop(
        "A SingleChangeSource has the changeSignal of a live view or of related entities, which have no single changes: forward that of an entity or a group, or conform only to ChangeSource."
      )
    }
  }
}
