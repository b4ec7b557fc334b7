/// The time that a system took.
public struct SystemDuration: Hashable, Sendable {
  /// The name of the system.
  public let system: String

  /// The name of its loop; nil if it is logged without one.
  public let loop: String?

  /// What it did: ``EventKind/didInit``, ``EventKind/didExec``, ``EventKind/didCleanup`` or
  /// ``EventKind/didTeardown``.
  public let kind: EventKind

  /// How often it did that.
  public let count: Int

  /// How long it took in all.
  public let total: Duration

  /// How long it took at most.
  public let longest: Duration

  package init(
    system: String, loop: String? = nil, kind: EventKind, count: Int, total: Duration,
    longest: Duration
  ) {
    self.system = system
    self.loop = loop
    self.kind = kind
    self.count = count
    self.total = total
    self.longest = longest
  }
}
