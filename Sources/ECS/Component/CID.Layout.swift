extension CID {
  /// The layout of values of a component type in memory.
  public struct Layout: Hashable, Sendable {
    /// The bytes of a value.
    public var size: Int

    /// The bytes from one value of a column to the next; 0 if values have none.
    public var stride: Int

    /// What the address of a value is a multiple of.
    public var alignment: Int

    /// Whether copying a value is copying its bytes, and ending one does nothing.
    ///
    /// That does not mean that the bytes make sense elsewhere: an ``Entity`` is trivial, but means
    /// something in its context only, and a type may have bytes between its fields that hold
    /// nothing.
    public var isTrivial: Bool
  }

  /// How values of the component type lie in memory.
  public var layout: Layout {
    let info = pointer.pointee
    return Layout(
      size: info.size, stride: info.stride, alignment: info.alignment, isTrivial: info.isTrivial)
  }
}
