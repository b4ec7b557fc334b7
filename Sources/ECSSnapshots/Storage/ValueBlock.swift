import ECS

/// Values of one type that are read, one behind the other, until a context gets them.
// PERFORMANCE: N5.load: of an array, a context could only have copies, for which each object that
// the values refer to is counted twice.
@safe
// Written by its maker, before there is another reference, and by the code that gives it to a
// context, when there is no other one any more.
final class ValueBlock<Value: Sendable>: @unchecked Sendable {
  // INVARIANT: the first `count` values are initialized.
  private let base: UnsafeMutablePointer<Value>
  private let byteCount: Int
  private(set) var count: Int

  private init(count: Int) {
    self.count = count
    byteCount = max(1, count * MemoryLayout<Value>.stride)
    let block = unsafe Memory.allocate(
      byteCount: byteCount, alignment: max(16, MemoryLayout<Value>.alignment))
    unsafe base = block.bindMemory(to: Value.self, capacity: count)
  }

  /// Begins with a value for each row.
  convenience init(repeating value: Value, count: Int) {
    self.init(count: count)
    // SAFETY: there is room for so many.
    unsafe base.initialize(repeating: value, count: count)
  }

  convenience init(_ values: [Value]) {
    self.init(count: values.count)
    unsafe values.withUnsafeBufferPointer { values in
      guard let first = values.baseAddress else { return }
      // SAFETY: there is room for so many.
      unsafe base.initialize(from: first, count: values.count)
    }
  }

  /// Another one with the same values.
  func copy() -> ValueBlock {
    let block = ValueBlock(count: count)
    // SAFETY: there is room for so many.
    unsafe block.base.initialize(from: base, count: count)
    return block
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe Memory.free(base, byteCount: byteCount)
  }

  var indices: Range<Int> { 0..<count }

  subscript(row: Int) -> Value { unsafe address(row).pointee }

  /// Calls a body with all values.
  func withValues<Result>(_ body: (Span<Value>) -> Result) -> Result {
    // SAFETY: the first `count` values are initialized, and nothing changes them meanwhile.
    body(unsafe UnsafeBufferPointer(start: base, count: count).span)
  }

  /// Changes a value.
  func update<Failure: Error>(
    _ row: Int, _ body: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe body(&address(row).pointee)
  }

  private func address(_ row: Int) -> UnsafeMutablePointer<Value> {
    require(row >= 0 && row < count, "The value \(row) of \(count) was asked for.")
    return unsafe base + row
  }

  /// Lets a body set a property that is stored at an offset of each value.
  func changeFields<Failure: Error>(
    at offset: Int, _ body: (FieldAddresses) throws(Failure) -> Void
  ) throws(Failure) {
    if count == 0 { return }
    try unsafe body(
      FieldAddresses(
        UnsafeMutableRawPointer(base) + offset, stride: MemoryLayout<Value>.stride, count: count))
  }
}

extension ValueBlock where Value: Component {
  /// Fills a column with the values, which are gone from here then.
  func move(to columns: borrowing NewColumns) {
    columns.initialize(Value.self) { output in
      unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        require(
          buffer.count >= count, "There is room for \(buffer.count) of \(count) values in a column."
        )
        initialized = count
        // Values of empty types take no space, but would be moved as if each took a byte.
        guard MemoryLayout<Value>.size > 0, let first = buffer.baseAddress else { return }
        // SAFETY: there is room for so many.
        unsafe first.moveInitialize(from: base, count: count)
      }
    }
    count = 0
  }
}
