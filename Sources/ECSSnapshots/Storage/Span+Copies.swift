extension Span {
  /// Copies of all values.
  // PERFORMANCE: N5: all at once; one by one, the type would be looked up for each.
  func copies() -> [Element] {
    // SAFETY: they are copied while they are lent.
    unsafe withUnsafeBufferPointer { unsafe Array($0) }
  }
}
