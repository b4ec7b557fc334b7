package import Testing

/// Whether a process that was expected to stop said all of some words, in every build.
package func stopped(
  _ result: ExitTest.Result?, saying words: String...
) -> Bool {
  guard let result else { return false }
  // A lossy decoding: whatever else the process wrote must not hide the message.
  let output = String(decoding: result.standardErrorContent, as: UTF8.self)
  return words.allSatisfy(output.contains)
}
