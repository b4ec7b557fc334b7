#if os(Linux) || os(Android)
  import Dispatch
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Bionic)
    import Bionic
  #endif

  /// Blocks of memory from huge pages, shared by all contexts of the process.
  ///
  /// To touch a new page for the first time costs the kernel about as much for 2 MB as for a few
  /// times 4 KB, and a processor finds its way in huge pages with far fewer misses; what grows by
  /// doubling touches many. Up to half a huge page, a block is a run of units of a chunk, which is
  /// one huge page. Larger ones have a mapping of their own with address space to spare, so that
  /// they grow where they are. A kernel without huge pages uses small ones.
  ///
  /// Some of what is free is kept for the next block, so that contexts that come and go do not wait
  /// for the kernel to clear pages. What that block can't use is given back before more is taken.
  enum LargeBlocks {
    /// The smallest block, and the unit of what chunks are divided into, in bytes.
    static var unit: Int { 64 * 1024 }

    private static var hugePage: Int { 2 * 1024 * 1024 }
    private static var largestInChunk: Int { hugePage / 2 }

    /// How many times as large as its first size a mapping may grow in place.
    private static var room: Int { 32 }

    /// How many bytes of free memory are kept at the most.
    private static var largestReserve: Int { 32 * 1024 * 1024 }

    /// A huge page: where it begins, and a bit for each of its units that is taken.
    private struct Chunk {
      let base: UnsafeMutableRawPointer
      var taken: UInt32 = 0
    }

    /// A block of its own: its address space, and how much of it has been in use, in bytes.
    private struct Mapping {
      let base: UnsafeMutableRawPointer
      let length: Int
      var touched: Int
    }

    private static let queue = DispatchQueue(label: "ECS.LargeBlocks")

    // Guarded by the queue.
    nonisolated(unsafe) private static var chunks: [Chunk] = []

    // Guarded by the queue.
    nonisolated(unsafe) private static var mappings: [UnsafeMutableRawPointer: Mapping] = [:]

    // Guarded by the queue.
    nonisolated(unsafe) private static var spareMappings: [Mapping] = []

    private static var reserve: Int {
      spareMappings.reduce(0) { $0 + $1.touched }
        + chunks.reduce(0) { $0 + ($1.taken == 0 ? hugePage : 0) }
    }

    /// A block for any type of value.
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
      queue.sync {
        byteCount <= largestInChunk
          ? takeUnits((byteCount + unit - 1) / unit) : makeMapping(byteCount)
      }
    }

    static func free(_ block: UnsafeMutableRawPointer, _ byteCount: Int) {
      queue.sync {
        if let mapping = mappings.removeValue(forKey: block) {
          giveMapping(mapping)
        } else {
          giveUnits((byteCount + unit - 1) / unit, at: block)
        }
      }
    }

    /// Makes a block larger where it is, if there is room.
    static func extend(_ block: UnsafeMutableRawPointer, from old: Int, to new: Int) -> Bool {
      if old <= largestInChunk { return new <= (old + unit - 1) / unit * unit }
      return queue.sync {
        guard let mapping = mappings[block], new <= mapping.length else { return false }
        shrinkReserve(by: new - mapping.touched)
        mappings[block]?.touched = max(new, mapping.touched)
        return true
      }
    }

    /// Gives everything back to the kernel that no block uses.
    static func giveReserveBack() {
      queue.sync { shrinkReserve(by: reserve) }
    }

    private static func shrinkReserve(by byteCount: Int) {
      var rest = byteCount
      while rest > 0, let number = chunks.firstIndex(where: { $0.taken == 0 }) {
        munmap(chunks.remove(at: number).base, hugePage)
        rest -= hugePage
      }
      while rest > 0, let spare = spareMappings.popLast() {
        munmap(spare.base, spare.length)
        rest -= spare.touched
      }
    }

    // MARK: Chunks

    private static func takeUnits(_ count: Int) -> UnsafeMutableRawPointer {
      let run = UInt32.max >> UInt32(32 - count)
      for number in chunks.indices {
        for place in 0...(32 - count) where chunks[number].taken & (run << UInt32(place)) == 0 {
          chunks[number].taken |= run << UInt32(place)
          // SAFETY: place + count <= 32 units, which make a chunk.
          return chunks[number].base + place * unit
        }
      }
      let chunk = Chunk(base: map(hugePage), taken: run)
      chunks.append(chunk)
      return chunk.base
    }

    private static func giveUnits(_ count: Int, at block: UnsafeMutableRawPointer) {
      guard
        let number = chunks.firstIndex(where: { $0.base <= block && block < $0.base + hugePage })
      else { stop("A block was freed that was not allocated here.") }
      let run = UInt32.max >> UInt32(32 - count)
      chunks[number].taken &= ~(run << UInt32((block - chunks[number].base) / unit))
      guard chunks[number].taken == 0, reserve > largestReserve else { return }
      munmap(chunks.remove(at: number).base, hugePage)
    }

    // MARK: Mappings

    private static func makeMapping(_ byteCount: Int) -> UnsafeMutableRawPointer {
      let length = (byteCount + hugePage - 1) / hugePage * hugePage
      if let spare = takeSpareMapping(length) { return spare }
      shrinkReserve(by: length)
      // Where address space is rationed, there is none to spare.
      let (block, size) =
        tryToMap(length * room).map { ($0, length * room) } ?? (map(length), length)
      mappings[block] = Mapping(base: block, length: size, touched: length)
      return block
    }

    /// What has grown most, since what is asked for first mostly grows most.
    private static func takeSpareMapping(_ length: Int) -> UnsafeMutableRawPointer? {
      let fitting = spareMappings.indices.filter { spareMappings[$0].length >= length }
      guard let number = fitting.max(by: { spareMappings[$0].touched < spareMappings[$1].touched })
      else { return nil }
      var spare = spareMappings.remove(at: number)
      shrinkReserve(by: length - spare.touched)
      spare.touched = max(length, spare.touched)
      mappings[spare.base] = spare
      return spare.base
    }

    private static func giveMapping(_ mapping: Mapping) {
      if reserve + mapping.touched > largestReserve {
        munmap(mapping.base, mapping.length)
      } else {
        spareMappings.append(mapping)
      }
    }

    private static func map(_ length: Int) -> UnsafeMutableRawPointer {
      guard let block = tryToMap(length) else {
        stop("There is no memory left for \(length) bytes.")
      }
      return block
    }

    /// Maps memory that begins at a huge page.
    private static func tryToMap(_ length: Int) -> UnsafeMutableRawPointer? {
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
      let all = mmap(nil, length + hugePage, PROT_READ | PROT_WRITE, flags, -1, 0)
      guard let all, Int(bitPattern: all) != -1 else { return nil }
      // SAFETY: what is unmapped lies within the new mapping, before and after the part kept.
      let before = (hugePage - Int(bitPattern: all) % hugePage) % hugePage
      let block = all + before
      if before > 0 { munmap(all, before) }
      if before < hugePage { munmap(block + length, hugePage - before) }
      madvise(block, length, MADV_HUGEPAGE)
      return block
    }
  }
#endif
