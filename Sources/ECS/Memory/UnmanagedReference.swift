private import CPlatform

/// A reference that is not counted, to an object that the holder of the reference keeps in another
/// way.
///
/// Counting takes an atomic instruction each time a reference is passed on, of which two take as
/// long as reading a component does.
// INVARIANT: the holder of one says there why the object is there as long.
@safe
struct UnmanagedReference<Object: AnyObject>: BitwiseCopyable {
  private let reference: Unmanaged<Object>

  init(_ object: Object) { unsafe reference = Unmanaged.passUnretained(object) }

  /// Lets the processor fetch the object, which is about to be visited, up to a byte.
  @inline(__always)
  func prefetch(to last: Int) { unsafe reference.prefetch(to: last) }

  /// Visits the object.
  @inline(__always)
  func visit<Result>(_ body: (Object) -> Result) -> Result {
    // SAFETY: see above.
    unsafe reference._withUnsafeGuaranteedRef { body($0) }
  }
}

extension Unmanaged {
  /// Lets the processor fetch a part of the object, from a byte to another one.
  @inline(__always)
  func prefetch(from first: Int = 0, to last: Int) {
    // SAFETY: nothing is read.
    for byte in stride(from: first, to: last, by: 64) { unsafe c_prefetch(toOpaque() + byte) }
    // Objects are aligned to 16 bytes, so the last line may be another one.
    if (last - first) % 64 > 16 { unsafe c_prefetch(toOpaque() + last) }
  }
}
