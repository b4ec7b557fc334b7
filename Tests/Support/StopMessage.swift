package import Testing

/// Whether a process that was expected to stop said all of some words, as it does in every build: what an
/// assertion says is missing in optimized ones.
package func stopped(
  _ result: ExitTest.Result?, saying words: String...
) -> Bool {
  said("Fatal error: ", words, result) && !said("Assertion failed: ", [], result)
}

/// Whether an assertion of a build for debugging stopped a process, saying all of some words.
package func failedAssertion(
  _ result: ExitTest.Result?, saying words: String...
) -> Bool {
  said("Assertion failed: ", words, result)
}

private func said(_ beginning: String, _ words: [String], _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  // A lossy decoding: whatever else the process wrote must not hide the message.
  let output = String(decoding: result.standardErrorContent, as: UTF8.self)
  return output.contains(beginning) && words.allSatisfy(output.contains)
}
