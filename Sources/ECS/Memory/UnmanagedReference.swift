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

  /// Visits the object.
  @inline(__always)
  func visit<Result>(_ body: (Object) -> Result) -> Result {
    // SAFETY: see above.
    unsafe reference._withUnsafeGuaranteedRef { body($0) }
  }
}
