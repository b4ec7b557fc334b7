import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

extension ByteBlock {
  /// Reads all of a file, which may be growing or shrinking meanwhile.
  convenience init(contentsOf path: String) throws(SnapshotError) {
    func failure() -> SnapshotError {
      SnapshotError(.file("\(path) can't be read: \(unsafe String(cString: strerror(errno)))"))
    }
    // SAFETY: here and below, the C library reads the text, and writes where there is room.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw failure() }
    defer { close(file) }
    var status = stat()
    if unsafe fstat(file, &status) != 0 { throw failure() }
    // One byte more, to see the end where it is expected. What is said to be larger than that
    // grows.
    self.init(capacity: min(max(0, Int(status.st_size)), 1 << 30) + 1)
    var isOver = false
    while !isOver {
      reserve(1)
      try unsafe append { (space) throws(SnapshotError) in
        let room = min(space.count, 1 << 30)
        while true {
          let count = unsafe read(file, space.baseAddress, room)
          if count < 0, errno == EINTR { continue }
          if count < 0 { throw failure() }
          isOver = count == 0
          return count
        }
      }
    }
  }
}
