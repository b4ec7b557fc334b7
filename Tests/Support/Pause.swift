/// Lets others go on, for a test that looks again and again whether something has happened.
///
/// Looking without a pause takes a processor away from what is to make it happen.
package func pause() async {
  try? await Task.sleep(for: .milliseconds(2))
}
