import Foundation

/// The bytes of a snapshot: as they were read, or in the blocks in which they were made.
enum SnapshotData: Sendable {
  case data(Data)

  /// Blocks and where each begins, ascending; one if they were read from a file.
  case blocks([(start: Int, block: ByteBlock)])

  /// Calls a body with some bytes, all of one block.
  func withBytes<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .data(let data): return try data.withBytes(range, body)
    case .blocks(let blocks):
      var (low, high) = (0, blocks.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if blocks[middle].start <= range.lowerBound { low = middle } else { high = middle }
      }
      // Blocks without bytes may begin where the next one does.
      while low > 0, blocks[low].start + blocks[low].block.count < range.upperBound { low -= 1 }
      let (start, block) = blocks[low]
      return try body(
        block.bytes.extracting(range.lowerBound - start..<range.upperBound - start))
    }
  }
}
