/// Stops the program with a message unless a condition holds, in every build.
///
/// For mistakes of the programmer. The standard library's `precondition` stops as well, but says
/// nothing in optimized builds. The message says what was wrong, with which values, and what to do
/// instead. It is put together only when it is needed: where the condition holds, the comparison is
/// all that is paid.
// PERFORMANCE: I2.chunks, R1: the text is put together in place. Handing the closure on would make
// callers store what it captures before they compare. Functions that do little else and are called
// for each entity leave the text to a function of their own, which is not inlined.
@inlinable
@inline(__always)
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { stop(message(), file: file, line: line) }
}

/// Stops the program with a message, in every build.
///
/// The message goes to the standard error stream, and to the crash report where there is one.
@usableFromInline
@inline(never)
package func stop(
  _ message: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(message, file: file, line: line)
}
