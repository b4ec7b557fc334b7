/// A position in code: a file, as `#fileID` says it, and a line.
// PERFORMANCE: O2: no text as long as nothing reads it.
@safe
@usableFromInline
// The bytes of a literal never change.
struct SourceLocation: @unchecked Sendable {
  // INVARIANT: the bytes of a literal, which stay for ever, and end with a zero.
  private let name: UnsafePointer<UInt8>?

  /// 0 if there is no file.
  private let lineNumber: UInt32

  @usableFromInline
  init(_ file: StaticString, _ line: Int) {
    let isText = file.hasPointerRepresentation
    unsafe name = isText ? file.utf8Start : nil
    lineNumber = isText ? UInt32(clamping: line) : 0
  }

  private init() { unsafe (name, lineNumber) = (nil, 0) }

  /// Of code that is not to be known.
  static let unknown = SourceLocation()

  /// The file; nil if it is not known.
  var file: String? {
    // SAFETY: see above.
    unsafe name.map { unsafe String(cString: $0) }
  }

  /// The line in the file; nil if there is no file.
  var line: Int? { unsafe name == nil ? nil : Int(lineNumber) }
}
