import ECS

/// The addresses of a stored property in each of some values, which lie one behind the other.
// SAFETY: used within the call that gives it, while the values stay where they are.
@safe
struct FieldAddresses {
  private let base: UnsafeMutableRawPointer
  private let stride: Int
  let count: Int

  init(_ base: UnsafeMutableRawPointer, stride: Int, count: Int) {
    unsafe self.base = base
    (self.stride, self.count) = (stride, count)
  }

  /// The property of a value; it has to be of that type.
  @inline(__always)
  func get<Value>(_ row: Int, as type: Value.Type) -> Value {
    unsafe address(row).assumingMemoryBound(to: type).pointee
  }

  /// Sets the property of a value; it has to be of that type.
  @inline(__always)
  func set<Value>(_ value: Value, at row: Int) {
    unsafe address(row).assumingMemoryBound(to: Value.self).pointee = value
  }

  @inline(__always)
  private func address(_ row: Int) -> UnsafeMutableRawPointer {
    require(row >= 0 && row < count, "The value \(row) of \(count) was asked for.")
    // SAFETY: it is one of the values.
    return unsafe base + row &* stride
  }
}

extension Array {
  /// Lets a body read a property that is stored at an offset of each value.
  func withFields<Failure: Error>(
    at offset: Int, _ body: (FieldAddresses) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeBufferPointer { (values) throws(Failure) in
      guard let base = values.baseAddress, !values.isEmpty else { return }
      // SAFETY: what is only to be read is not set.
      let bytes = unsafe UnsafeMutableRawPointer(mutating: base)
      try unsafe body(
        FieldAddresses(bytes + offset, stride: MemoryLayout<Element>.stride, count: values.count))
    }
  }
}
