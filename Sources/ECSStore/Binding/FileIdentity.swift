#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Bionic)
    import Bionic
  #endif

  /// Moves a file within its folder, in one step; what was there is gone.
  ///
  /// - Returns: Whether it worked.
  func replaceFile(at path: String, with other: String) -> Bool {
    // SAFETY: both texts live as long as the call.
    unsafe rename(other, path) == 0
  }

  /// Which file is at a path, so that it is noticed if it is removed or replaced.
  struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is no file.
    init?(_ path: String) {
      var information = stat()
      // SAFETY: the structure is ours, and what the call writes to.
      guard unsafe stat(path, &information) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: information.st_dev)
      number = UInt64(truncatingIfNeeded: information.st_ino)
    }
  }
#endif
