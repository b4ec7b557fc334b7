public import ECS

/// A change that a test expects.
///
/// ```swift
/// try changes.expect([.added(order), .updated(order, Order.cid), .destroyed(order)])
/// ```
public struct ExpectedChange: Sendable {
  /// The kind of the change.
  public let kind: Change.Kind

  /// The entity.
  public let entity: Entity

  /// The component that was written or removed; nil if it may be any, or none.
  public let component: CID?

  /// Makes an expectation.
  public init(_ kind: Change.Kind, _ entity: Entity, _ component: CID? = nil) {
    self.kind = kind
    self.entity = entity
    self.component = component
  }

  /// A group: the entity came to match.
  ///
  /// An entity: it got a component.
  public static func added(_ entity: Entity, _ component: CID? = nil) -> ExpectedChange {
    ExpectedChange(.added, entity, component)
  }

  /// A component was replaced.
  public static func updated(_ entity: Entity, _ component: CID? = nil) -> ExpectedChange {
    ExpectedChange(.updated, entity, component)
  }

  /// A group: the entity no longer matches.
  ///
  /// An entity: it lost a component.
  public static func removed(_ entity: Entity, _ component: CID? = nil) -> ExpectedChange {
    ExpectedChange(.removed, entity, component)
  }

  /// The entity was destroyed.
  public static func destroyed(_ entity: Entity) -> ExpectedChange {
    ExpectedChange(.destroyed, entity)
  }

  /// Whether a change is the expected one.
  public func matches(_ change: Change) -> Bool {
    kind == change.kind && entity == change.entity
      && (component == nil || component == change.component)
  }
}

extension ExpectedChange: CustomStringConvertible {
  /// The kind, the entity and the component, such as `updated Entity 3.1 (Order): Order`.
  public var description: String { Change.description(kind, entity, component) }
}

extension Change {
  static func description(_ kind: Kind, _ entity: Entity, _ component: CID?) -> String {
    "\(kind) \(entity)\(component.map { ": \($0.name)" } ?? "")"
  }
}

extension Recorder<Change> {
  /// Makes sure that exactly these changes were recorded, in this order, and takes them out.
  ///
  /// In Swift Testing and in XCTest alike, a test that throws the error fails with its description,
  /// which compares the two lists.
  ///
  /// ```swift
  /// @Test func `an order is billed once`() throws {
  ///   let changes = Recorder(of: order)
  ///   loop.runUntilSettled()
  ///   try changes.expect([.added(order, Invoice.cid)])
  /// }
  /// ```
  ///
  /// - Throws: ``UnexpectedChanges`` if others happened, or in another order. The changes are taken
  ///   out in any case.
  public func expect(_ expected: [ExpectedChange]) throws(UnexpectedChanges) {
    let happened = take()
    if let unexpected = UnexpectedChanges(expected: expected, happened: happened) {
      throw unexpected
    }
  }

  /// Makes sure that nothing was recorded, like ``expect(_:)`` with an empty list.
  public func expectNothing() throws(UnexpectedChanges) { try expect([]) }
}
