/// Checksums of 64 bits that are computed about as fast as memory is read.
///
/// The algorithm is XXH64 with the seed 0, by Yann Collet: "xxHash fast digest algorithm", version
/// 0.1.1, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of some bytes.
  static func hash(_ bytes: RawSpan) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      var offset = 0
      var hash: UInt64
      if bytes.count >= 32 {
        var (v1, v2) = (prime1 &+ prime2, prime2)
        var (v3, v4) = (UInt64(0), 0 &- prime1)
        let end = bytes.count - 32
        while offset <= end {
          v1 = unsafe round(v1, word(bytes, offset))
          v2 = unsafe round(v2, word(bytes, offset &+ 8))
          v3 = unsafe round(v3, word(bytes, offset &+ 16))
          v4 = unsafe round(v4, word(bytes, offset &+ 24))
          offset &+= 32
        }
        hash = rotate(v1, 1) &+ rotate(v2, 7) &+ rotate(v3, 12) &+ rotate(v4, 18)
        for lane in [v1, v2, v3, v4] {
          hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
        }
      } else {
        hash = prime5
      }
      hash &+= UInt64(bytes.count)
      while offset + 8 <= bytes.count {
        hash = unsafe rotate(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
        offset += 8
      }
      if offset + 4 <= bytes.count {
        // SAFETY: four bytes are left.
        let half = unsafe UInt32(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        hash = rotate(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
        offset += 4
      }
      while offset < bytes.count {
        hash = unsafe rotate(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
        offset += 1
      }
      hash = (hash ^ (hash >> 33)) &* prime2
      hash = (hash ^ (hash >> 29)) &* prime3
      return hash ^ (hash >> 32)
    }
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    // SAFETY: callers have compared the offset with the count.
    unsafe UInt64(
      littleEndian: (bytes.baseAddress.unsafelyUnwrapped + offset).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 &- count)
  }
}
