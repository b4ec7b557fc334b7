/// A report of a snapshot that was restored or merged.
public struct RestoreReport: Hashable, Sendable {
  /// The number of entities that were created.
  public var created: Int

  /// The number of entities that were there and got what they have in the snapshot; 0 unless
  /// merged.
  public var merged = 0

  /// The number of links that were made.
  public var links: Int

  /// The names of components that the schema does not name, in the order of the snapshot: left out
  /// or kept, as the ``UnknownPolicy`` says.
  public var unknownComponents: [String]

  /// The names of relations that the schema does not name, which were left out.
  public var unknownRelations: [String]
}
