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

  extension String {
    // PERFORMANCE: K4: byte by byte in Swift takes several times as long.
    /// Whether it has the same bytes as another text; Swift itself also takes texts for equal that
    /// look the same.
    func hasSameBytes(as other: String) -> Bool {
      let isSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
        unsafe other.utf8.withContiguousStorageIfAvailable { others in
          guard bytes.count == others.count else { return false }
          guard let base = bytes.baseAddress, let otherBase = others.baseAddress
          else { return true }
          // SAFETY: so many bytes are there of both, as long as the closures run.
          return unsafe memcmp(base, otherBase, bytes.count) == 0
        }
      }
      return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
  }
#endif
