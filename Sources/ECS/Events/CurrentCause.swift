import CPlatform

/// A cause that code may run for: an object, so that a thread can point to it.
@usableFromInline
final class CurrentCause: Sendable {
  let cause: Cause

  init(_ cause: Cause) { self.cause = cause }

  /// Names a section.
  @usableFromInline
  convenience init(section name: String, file: String, line: Int) {
    self.init(Cause(kind: .section, name: name, file: file, line: line))
  }

  /// Calls a body, which runs for this cause on this thread.
  @usableFromInline
  func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = unsafe c_current_cause()
    // SAFETY: it is kept until it is taken away again below.
    unsafe c_set_current_cause(Unmanaged.passUnretained(self).toOpaque())
    defer {
      unsafe c_set_current_cause(outer)
      withExtendedLifetime(self) {}
    }
    return try body()
  }

  /// Where what the running thread runs for is, for comparisons; 0 if there is nothing.
  @inline(__always)
  static var address: UInt { unsafe UInt(bitPattern: c_current_cause()) }

  /// The innermost cause that the running thread runs for, if there is one.
  static var innermost: CurrentCause? {
    // SAFETY: the code that put it there keeps it until it is taken away, on this same thread.
    unsafe c_current_cause().map {
      unsafe Unmanaged<CurrentCause>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
