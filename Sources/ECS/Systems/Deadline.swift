/// A component that stands for another one, which an entity gets at a time.
///
/// ```swift
/// struct Overdue: Component {}
///
/// loop.addDeadlines(of: Overdue.self)
/// order.set(Deadline(Overdue(), at: commit.time + .seconds(86_400)))
/// order.remove(Deadline<Overdue>.self)  // taken back
/// ```
///
/// At that time a loop sets the component and removes the deadline, both in one section: see
/// ``ReactiveLoop/addDeadlines(of:)``. One that is put back after its time, as by undo, is set
/// again in the next pass. A deadline is a component as any other. It is replaced by setting
/// another one, transactions and undo put it back, and where it is kept, in a snapshot or a store,
/// it outlives the process: what has passed meanwhile is set as soon as a loop runs.
public struct Deadline<Value: Component>: Component {
  /// When the component is set, in nanoseconds since January 1, 1970, UTC.
  public var nanoseconds: Int64

  /// The component that is set.
  public var value: Value

  /// Makes a deadline.
  ///
  /// - Parameters:
  ///   - value: The component that is set.
  ///   - time: When, since January 1, 1970, UTC. What is further away than some 290 years is at the
  ///     end of those.
  public init(_ value: Value, at time: Duration) {
    self.value = value
    nanoseconds = time.clampedNanoseconds
  }

  /// When the component is set, since January 1, 1970, UTC.
  public var time: Duration {
    get { .nanoseconds(nanoseconds) }
    set { nanoseconds = newValue.clampedNanoseconds }
  }
}

extension Deadline: Equatable where Value: Equatable {}
extension Deadline: Hashable where Value: Hashable {}
extension Deadline: Codable where Value: Codable {}

extension Duration {
  var clampedNanoseconds: Int64 {
    let limit = Duration.nanoseconds(Int64.max)
    let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero - limit), limit).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
