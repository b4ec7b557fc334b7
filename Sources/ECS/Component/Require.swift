/// Stops the program with a message unless a condition holds, in every build.
///
/// For mistakes of the programmer. The standard library's `precondition` stops as well, but says
/// nothing in optimized builds. The message tells what was wrong, with which values, and what to do
/// instead. It is made only when it is needed, by code that is kept out of the way: what is paid
/// where the condition holds is the comparison.
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
// PERFORMANCE: U1, G1, S1: not inlined, so that the text is put together here and not in the caller.
@usableFromInline
@inline(never)
package func stop(
  _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(message(), file: file, line: line)
}
