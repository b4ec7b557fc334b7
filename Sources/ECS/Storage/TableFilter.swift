/// Which tables belong to a set: those that have all of some component types, any of some, and none
/// of some.
///
/// Each list is ascending and without duplicates.
struct TableFilter: Hashable, Sendable {
  var all: [ComponentInfoReference]
  var any: [ComponentInfoReference]
  var none: [ComponentInfoReference]

  /// Whether tables with this ascending signature belong to the set.
  func accepts(_ signature: [ComponentInfoReference]) -> Bool {
    all.allSatisfy(signature.contains) && !none.contains(where: signature.contains)
      && (any.isEmpty || any.contains(where: signature.contains))
  }

  func mentions(_ info: ComponentInfoReference) -> Bool {
    all.contains(info) || any.contains(info) || none.contains(info)
  }

  /// The types that an entity of the set may have among those mentioned.
  var held: [ComponentInfoReference] { all + any }
}
