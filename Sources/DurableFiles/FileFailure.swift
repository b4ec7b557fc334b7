#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failure of the file system, in words.
package struct FileFailure: Error, Hashable, CustomStringConvertible {
  /// The path, what could not be done with it, and why.
  package let description: String

  /// What the last call of the C library has failed in.
  init(_ what: String, _ path: String) {
    // SAFETY: the text of an error is there for good.
    description = "\(path) \(what): \(unsafe String(cString: strerror(errno)))"
  }
}
