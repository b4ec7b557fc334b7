#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The memory that the process has asked for and written to, in RAM or elsewhere.
  ///
  /// Not what is mapped of files, above all its code: the system reads and drops that as it likes.
  package func residentBytes() -> Int {
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var kilobytes = 0
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("RssAnon:") || text.hasPrefix("VmSwap:") else { continue }
      kilobytes += text.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
    return kilobytes << 10
  }
#endif
