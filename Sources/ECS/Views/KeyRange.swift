/// Ranges of keys that an ``OrderedIndex`` can be asked for: those of the standard library.
///
/// ```swift
/// due[from..<to]
/// due[...now]
/// ```
public protocol KeyRange<Key> {
  /// What the index is ordered by.
  associatedtype Key: Comparable

  /// Where the range begins, and where it ends.
  var keyBounds: (lower: KeyBound<Key>, upper: KeyBound<Key>) { get }
}

extension Range: KeyRange {
  /// From the lower bound up to, but not including, the upper one.
  @inlinable public var keyBounds: (lower: KeyBound<Bound>, upper: KeyBound<Bound>) {
    (.including(lowerBound), .excluding(upperBound))
  }
}

extension ClosedRange: KeyRange {
  /// From the lower bound through the upper one.
  @inlinable public var keyBounds: (lower: KeyBound<Bound>, upper: KeyBound<Bound>) {
    (.including(lowerBound), .including(upperBound))
  }
}

extension PartialRangeFrom: KeyRange {
  /// From the lower bound on.
  @inlinable public var keyBounds: (lower: KeyBound<Bound>, upper: KeyBound<Bound>) {
    (.including(lowerBound), .unbounded)
  }
}

extension PartialRangeUpTo: KeyRange {
  /// All that comes before the upper bound.
  @inlinable public var keyBounds: (lower: KeyBound<Bound>, upper: KeyBound<Bound>) {
    (.unbounded, .excluding(upperBound))
  }
}

extension PartialRangeThrough: KeyRange {
  /// Everything through the upper bound.
  @inlinable public var keyBounds: (lower: KeyBound<Bound>, upper: KeyBound<Bound>) {
    (.unbounded, .including(upperBound))
  }
}
