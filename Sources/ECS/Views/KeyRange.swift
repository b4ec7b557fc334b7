/// Ranges of keys that an ``OrderedIndex`` can be asked for, and of positions that a ``LiveView``
/// can be: those of the standard library.
///
/// ```swift
/// due[from..<to]
/// due[...now]
/// view[20..<40]
/// ```
public protocol KeyRange<Key> {
  /// What the index is ordered by.
  associatedtype Key: Comparable

  /// Where the range begins, and where it ends.
  var keyBounds: (lower: KeyBound<Key>, upper: KeyBound<Key>) { get }
}

extension KeyRange<Int> {
  /// The first position of the range.
  var firstPosition: Int {
    switch keyBounds.lower {
    case .unbounded: 0
    case .including(let position): position
    case .excluding(let position): position == .max ? .max : position + 1
    }
  }

  /// The position behind the last one of the range, or the greatest number.
  var endPosition: Int {
    switch keyBounds.upper {
    case .unbounded: .max
    case .including(let position): position == .max ? .max : position + 1
    case .excluding(let position): position
    }
  }
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
