/// The time of a machine, which goes on while it sleeps and is never set.
package struct ClusterTime: Sendable {
  package let now: @Sendable () -> Duration

  package init(now: @escaping @Sendable () -> Duration) { self.now = now }

  private static let start = ContinuousClock.now

  package static let continuous = ClusterTime { start.duration(to: .now) }
}
