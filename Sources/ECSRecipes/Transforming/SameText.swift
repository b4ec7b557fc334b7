/// The rule for texts that are saved, compared, merged or applied: bytes count.
///
/// `String` itself also takes texts for equal that are canonically equivalent, such as `é` in one
/// scalar and in two.
@usableFromInline
enum SameText {
  /// Whether two texts that are equal to Swift have the same bytes; true for anything else.
  @inlinable
  static func areSame<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? String, let right = right as? String else { return true }
    return left.utf8.elementsEqual(right.utf8)
  }
}
