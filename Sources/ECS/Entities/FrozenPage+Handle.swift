extension FrozenPage {
  /// The entity of a row of the page.
  @inlinable
  @inline(__always)
  func handle(_ row: Int) -> Handle {
    let bits = entity(row)
    return Handle(
      index: UInt32(truncatingIfNeeded: bits), generation: UInt32(truncatingIfNeeded: bits &>> 32))
  }
}
