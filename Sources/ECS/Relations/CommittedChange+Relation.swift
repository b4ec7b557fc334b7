extension CommittedChange {
  /// The relation of a link that came or went; else nil.
  public var relation: (any Relation.Type)? { noted.link?.relation as? any Relation.Type }
}
