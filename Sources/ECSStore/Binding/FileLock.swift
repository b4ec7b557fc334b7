#if SQLite
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Bionic)
    import Bionic
  #endif

  /// A file that one process at a time has for itself.
  ///
  /// The system gives it back when the process ends, however that
  /// happens.
  ///
  /// It is a file of its own: SQLite's locks of the database would end if other code closed that.
  final class FileLock: Sendable {
    let path: String
    private let file: Int32

    /// Makes the file, if there is none.
    init(_ path: String) throws(StoreError) {
      self.path = path
      // SAFETY: the text lives as long as the call.
      file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      if file < 0 {
        throw .cannotOpen(path: path, reason: unsafe String(cString: strerror(errno)))
      }
    }

    /// Waits until no other process has it; false if that takes too long.
    func lock(waiting limit: Duration) -> Bool {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
      let end = ContinuousClock.now + limit
      var pause = 0.0001
      while ContinuousClock.now < end {
        Thread.sleep(forTimeInterval: pause)
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
        pause = min(pause * 2, 0.002)
      }
      return false
    }

    func unlock() { _ = flock(file, LOCK_UN) }

    deinit { close(file) }
  }
#endif
