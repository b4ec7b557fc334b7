public import ECS
public import Observation
import Synchronization

/// A source of changes as the standard library's `Observation` sees it: what is read through it is
/// tracked.
///
/// ```swift
/// let article = Observed(entity)
/// withObservationTracking {
///   title.text = article[Title.self]?.text ?? ""
/// } onChange: {
///   setNeedsUpdate()
/// }
/// ```
///
/// In SwiftUI, a view that reads an `Observed` in its body is updated when the source changes.
/// Reads are tracked for the source as a whole, once for each outermost change. The source is
/// observed from the first tracked read until the object is released. `withObservationTracking` is
/// notified after the change, on the thread that made it, and not in the critical section.
public final class Observed<Source: ChangeSource>: Observable, Sendable {
  private let untracked: Source
  private let registrar = ObservationRegistrar()
  private let observation = AtomicLazyReference<Subscription>()

  /// Makes the source observable.
  public init(_ source: Source) {
    untracked = source
  }

  /// The source: reading it is a tracked access.
  public var source: Source {
    registrar.access(self, keyPath: \.source)
    beginIfNeeded()
    return untracked
  }

  private func beginIfNeeded() {
    guard observation.load() == nil else { return }
    // Code that tracks has locks of its own, and reads the source while it holds them.
    let subscription = untracked.observeAfterwards { [weak self] in
      guard let self else { return }
      registrar.withMutation(of: self, keyPath: \.source) {}
    }
    // Another thread may have been faster; its observation stays, and this one ends.
    _ = observation.storeIfNil(subscription)
  }
}

extension Observed where Source == Entity {
  /// The value of a component; nil if the entity does not have it or is dead.
  public subscript<C: Component>(type: C.Type) -> C? { source.get(type) }

  /// Whether the entity is alive.
  public var isAlive: Bool { source.isAlive }
}

extension Observed where Source == Group {
  /// The entities of the group, in the order of their creation.
  public var entities: [Entity] { source.sorted() }

  /// The number of entities.
  public var count: Int { source.count }
}

extension Observed where Source == LiveView {
  /// The entities of the view, in its order.
  public var entities: EntitySet { source.entities() }

  /// The number of entities.
  public var count: Int { source.count }
}

extension ChangeSource {
  /// The source as the standard library's `Observation` sees it.
  public func observed() -> Observed<Self> { Observed(self) }
}
