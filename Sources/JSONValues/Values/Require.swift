/// Stops the program with a message unless a condition holds, in every build.
///
/// As `require` and `stop` of the core, on which this module does not depend.
@inline(__always)
func require(
  _ condition: Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { stop(message(), file: file, line: line) }
}

/// Stops the program with a message, in every build.
@inline(never)
func stop(
  _ message: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(message, file: file, line: line)
}
