extension Core {
  /// The work that has to be done when a change ends.
  @usableFromInline
  struct Pending: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Values were taken out of storage and wait to be ended: at the end of every change.
    @usableFromInline static let pendingRelease = Pending(rawValue: 1)

    // At the end of the outermost change only:
    static let notifications = Pending(rawValue: 2)
    static let afterUnlock = Pending(rawValue: 4)
    static let retired = Pending(rawValue: 8)
    static let teardown = Pending(rawValue: 16)

    /// There are notes to be delivered to journals.
    static let noted = Pending(rawValue: 32)

    /// There are sinks that have put changes off.
    static let late = Pending(rawValue: 64)

    /// It is time to look for tables without entities.
    static let tables = Pending(rawValue: 128)
  }
}
