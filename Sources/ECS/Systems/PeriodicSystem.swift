import Synchronization

/// A system that is executed once in a period, if a reactive loop runs it.
final class PeriodicSystem: ExecuteSystem, IsolatedByClosure {
  /// Whether a period has passed since the system was executed.
  final class Due: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
    func take() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }
  }

  let name: String
  let period: Duration
  let due = Due()
  let isolation: (any Actor)?
  private let body: () throws -> Void

  init(_ name: String, period: Duration, _ body: @escaping @isolated(any) () throws -> Void) {
    require(
      period > .zero, "System \(name) was given the period \(period): it must be longer than zero.")
    self.name = name
    self.period = period
    isolation = body.isolation
    self.body = IsolatedFunction.erasingIsolation(of: body)
  }

  func execute() throws { try body() }
}
