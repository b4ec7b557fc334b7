/// The first 64 bytes of a file, and what binds its parts together.
enum Header {
  static let size = 64
  static let formatVersion = 1

  /// The version of files in which links have values.
  private static let linkValueVersion = 2

  /// The version of a file, or of text, with this.
  static func version(of directory: Directory) -> Int {
    directory.hasLinkValues ? linkValueVersion : formatVersion
  }

  static func isKnown(_ version: Int) -> Bool {
    version == formatVersion || version == linkValueVersion
  }

  /// "ECSSNAP1".
  private static let magic: [UInt8] = [0x45, 0x43, 0x53, 0x53, 0x4e, 0x41, 0x50, 0x31]

  /// Puts a file together.
  static func assemble(
    _ directory: Directory, _ blocks: [ByteBlock]
  ) -> (Directory, SnapshotData) {
    var directory = directory
    var located: [(start: Int, block: ByteBlock)] = []
    var end = size
    directory.blocks = []
    for block in blocks {
      let start = Directory.aligned(end)
      end = start + block.count
      directory.blocks.append(
        Directory.Block(range: start..<end, checksum: XXH64.hash(block.bytes)))
      located.append((start, block))
    }
    var next = 0
    for index in directory.groups.indices {
      directory.groups[index].firstBlock = next
      next += directory.blockCount(of: directory.groups[index])
    }
    for index in directory.relations.indices {
      directory.relations[index].firstBlock = next
      next += directory.blockCount(of: directory.relations[index])
    }
    let tail = ByteBlock()
    directory.write(to: tail)
    let start = Directory.aligned(end)
    located.append((start, tail))
    let head = ByteBlock(capacity: size)
    for byte in magic { head.append(byte) }
    head.append(UInt32(version(of: directory)))
    head.append(UInt32(0))
    head.append(UInt64(start + tail.count))
    head.append(UInt64(start))
    head.append(UInt64(tail.count))
    head.append(XXH64.hash(tail.bytes))
    head.append(UInt64(0))
    head.append(XXH64.hash(head.bytes))
    return (directory, .blocks([(0, head)] + located))
  }

  /// Checks all bytes, and reads the directory.
  static func readDirectory(_ bytes: RawSpan) throws(SnapshotError) -> Directory {
    var reader = ByteReader(bytes, start: 0, name: "header")
    for byte in magic {
      guard reader.left > 0, reader.take(UInt8.self) == byte else {
        throw SnapshotError(.notASnapshot)
      }
    }
    try reader.check(size - magic.count)
    let version = Int(reader.take(UInt32.self))
    if !isKnown(version) {
      throw SnapshotError(.laterFormat(version), name: "header")
    }
    let flags = reader.take(UInt32.self)
    let length = reader.take(UInt64.self)
    let (start, count) = (reader.take(UInt64.self), reader.take(UInt64.self))
    let checksum = reader.take(UInt64.self)
    let reserved = reader.take(UInt64.self)
    if reader.take(UInt64.self) != XXH64.hash(bytes.extracting(0..<size - 8)) {
      throw SnapshotError(.damaged, name: "header", offset: 0)
    }
    if length > UInt64(bytes.byteCount) {
      throw reader.error(.truncated(needed: length, available: bytes.byteCount))
    }
    if flags != 0 || reserved != 0 || length != UInt64(bytes.byteCount) || start < UInt64(size)
      || start > length || count != length - start || start % UInt64(Directory.alignment) != 0
    {
      throw SnapshotError(.malformed("The parts are not where they have to be"), name: "header")
    }
    let tail = bytes.extracting(Int(start)..<Int(length))
    if XXH64.hash(tail) != checksum {
      throw SnapshotError(.damaged, name: "directory", offset: Int(start))
    }
    var rest = ByteReader(tail, start: Int(start), name: "directory")
    let directory = try Directory(&rest, hasLinkValues: version == linkValueVersion)
    try check(directory, bytes)
    return directory
  }

  /// Checks the blocks, and that there is nothing between them.
  private static func check(_ directory: Directory, _ bytes: RawSpan) throws(SnapshotError) {
    var end = size
    for block in directory.blocks {
      for offset in end..<block.range.lowerBound where bytes.load(UInt8.self, at: offset) != 0 {
        throw SnapshotError(.damaged, name: "padding", offset: offset)
      }
      if XXH64.hash(bytes.extracting(block.range)) != block.checksum {
        throw SnapshotError(.damaged, name: "block", offset: block.range.lowerBound)
      }
      end = block.range.upperBound
    }
    for offset in end..<Directory.aligned(end) where bytes.load(UInt8.self, at: offset) != 0 {
      throw SnapshotError(.damaged, name: "padding", offset: offset)
    }
  }
}
