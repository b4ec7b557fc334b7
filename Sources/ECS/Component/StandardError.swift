#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// The stream to which programs report what goes wrong.
enum StandardError {
  /// Writes a line, in one piece if the system can.
  static func writeLine(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while unsafe !rest.isEmpty {
        // SAFETY: the slice is within the buffer, which is alive.
        let count = unsafe write(2, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        // The other end is closed: there is nowhere to report that.
        guard count > 0 else { return }
        unsafe rest = rest.dropFirst(count)
      }
    }
  }
}
