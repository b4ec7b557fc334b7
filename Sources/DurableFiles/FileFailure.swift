/// What the file system refused, in words.
package struct FileFailure: Error, Hashable, CustomStringConvertible {
  /// The path, what could not be done with it, and why.
  package let description: String
}
