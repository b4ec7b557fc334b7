#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder that is open, so that what changes in it can be brought to the disk.
///
/// Open it before the change: a failure to open then means that nothing has changed.
package struct OpenFolder: ~Copyable {
  private let path: String
  private let file: Int32

  /// Opens a folder.
  package init(_ path: String) throws(FileFailure) {
    // SAFETY: the C library reads the text.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw FileFailure("can't be opened", path) }
    (self.path, self.file) = (path, file)
  }

  /// Waits until the names of files in it are on the disk.
  package func sync() throws(FileFailure) {
    // Some file systems don't do that for folders, and have no need to.
    if !bringToDisk(file), errno != EINVAL, errno != EBADF {
      throw FileFailure("can't be brought to the disk", path)
    }
  }

  deinit { close(file) }
}

/// Waits until what was written to a file is on the disk.
package func bringToDisk(_ path: String) throws(FileFailure) {
  // SAFETY: the C library reads the text.
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  if file < 0 { throw FileFailure("can't be opened", path) }
  defer { close(file) }
  if !bringToDisk(file) { throw FileFailure("can't be brought to the disk", path) }
}

/// Waits until what was written to an open file is on the disk; false if that fails.
func bringToDisk(_ file: Int32) -> Bool {
  #if canImport(Darwin)
    // The other one there leaves it in the memory of the drive; not all file systems have this one.
    if fcntl(file, F_FULLFSYNC) == 0 { return true }
  #endif
  return fsync(file) == 0
}
