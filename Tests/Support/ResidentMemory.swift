#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The memory of the process that is in RAM.
  package func residentBytes() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = line.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " ")))
    let pages = String(decoding: fields[1].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Int(pages) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
#endif
