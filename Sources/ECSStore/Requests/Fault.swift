#if SQLite
  public import ECS

  /// A mark of an entity that stands for a row which is not in memory, and has its key and nothing
  /// else.
  ///
  /// Entities get it where a link leads to a row of a table on request, or where such a row was
  /// evicted and is linked to. It is taken away when the row comes: by ``StoreSession/fill(_:)``,
  /// or because it was fetched. The entity stays the same, and so do its links.
  ///
  /// ```swift
  /// if sensor.has(Fault.cid) { try session.fill([sensor]) }
  /// ```
  ///
  /// Destroying such an entity takes its links away, and leaves its row.
  public struct Fault: Component, Hashable {
    /// The table that the row is in.
    public let table: String

    let address: RowKey

    init(_ table: String, _ address: RowKey) { (self.table, self.address) = (table, address) }

    /// The key of the row, as text.
    public var key: String { "\(address)" }
  }
#endif
