extension FrozenPage {
  /// The entity of a row of the page.
  @inlinable
  @inline(__always)
  func handle(_ row: Int) -> Handle { Handle(bits: entity(row)) }
}
