extension Span {
  /// Appends copies of all values.
  // PERFORMANCE: N5: all at once; one by one, the type would be looked up for each.
  func append(to copies: inout [Element]) {
    // SAFETY: they are copied while they are lent.
    unsafe withUnsafeBufferPointer { unsafe copies.append(contentsOf: $0) }
  }
}
