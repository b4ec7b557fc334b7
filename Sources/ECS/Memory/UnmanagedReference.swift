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

  /// Lets the processor fetch some lines of 64 bytes of the object, which is about to be visited.
  @inline(__always)
  func prefetch(lines: Int) {
    // SAFETY: nothing is read.
    for line in 0..<lines { unsafe c_prefetch(reference.toOpaque() + line &* 64) }
  }

  /// Visits the object.
  @inline(__always)
  func visit<Result>(_ body: (Object) -> Result) -> Result {
    // SAFETY: see above.
    unsafe reference._withUnsafeGuaranteedRef { body($0) }
  }
}
