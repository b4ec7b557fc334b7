import CPlatform

/// A cause that code may run for: an object, so that a thread can point to it.
final class CurrentCause: Sendable {
  private enum Source {
    case made(Cause)

    // PERFORMANCE: UN3: most sections are over before their cause is asked for, which has the name
    // of the file as a text of its own.
    case section(name: String, file: StaticString, line: Int)
  }

  private let source: Source

  init(_ cause: Cause) { source = .made(cause) }

  /// Names a section.
  init(section name: String, file: StaticString, line: Int) {
    source = .section(name: name, file: file, line: line)
  }

  var cause: Cause {
    switch source {
    case .made(let cause): cause
    case .section(let name, let file, let line):
      Cause(kind: .section, name: name, file: "\(file)", line: line)
    }
  }

  /// Whether it names a section by this name in this place.
  func names(section name: String, file: StaticString, line: Int) -> Bool {
    guard case .section(let ours, let ourFile, let ourLine) = source else { return false }
    guard ourLine == line, ourFile.hasPointerRepresentation, file.hasPointerRepresentation,
      unsafe ourFile.utf8Start == file.utf8Start
    else { return false }
    // Names that look the same may have other bytes.
    return ours == name && ours.utf8.count == name.utf8.count
  }

  /// The bytes of texts that it keeps.
  var textBytes: Int {
    switch source {
    case .made(let cause): cause.name.utf8.count + (cause.file?.utf8.count ?? 0)
    case .section(let name, _, _): name.utf8.count
    }
  }

  /// Calls a body, which runs for this cause on this thread.
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
