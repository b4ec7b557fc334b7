/// A comparison of values of one component by their addresses.
typealias ValueEquality = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

extension CID {
  /// The type's `==`, if it is `Equatable`.
  var equality: ValueEquality? {
    func equality<Value: Equatable>(_ type: Value.Type) -> ValueEquality {
      { left, right in
        // SAFETY: only addresses of values of this type are passed.
        unsafe left.assumingMemoryBound(to: type).pointee
          == right.assumingMemoryBound(to: type).pointee
      }
    }
    guard let type = type as? any Equatable.Type else { return nil }
    return unsafe equality(type)
  }
}
