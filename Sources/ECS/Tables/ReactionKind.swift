/// A kind of change of an entity, as sets of tables and observers see it.
enum ReactionKind: UInt8 {
  case added, updated, removed

  /// The bit that stands for the kind in a choice of kinds.
  var bit: UInt8 { 1 &<< rawValue }
}
