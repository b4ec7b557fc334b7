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
  /// for the kernel to clear pages. What that block can't use is freed before more is taken. Of
  /// a chunk that still has blocks, the units between them are given back.
  enum LargeBlocks {
    /// The smallest block, and the unit of what chunks are divided into, in bytes.
    static var unit: Int { 64 * 1024 }

    private static var hugePage: Int { 2 * 1024 * 1024 }
    private static var largestInChunk: Int { hugePage / 2 }

    /// How many times as large as its first size a mapping may grow in place.
    private static var room: Int { 32 }

    /// How many bytes of free memory are kept at most.
    private static var largestReserve: Int { 32 * 1024 * 1024 }

    /// A huge page: where it begins, a bit for each of its units that is taken, and one for each
    /// that may use memory.
    @safe
    private struct DividedPage {
      let base: UnsafeMutableRawPointer
      var taken: UInt32 = 0
      var resident = UInt32.max

      /// The units that use memory for nothing.
      var idle: UInt32 { resident & ~taken }

      /// Units were given back between others, so that the kernel uses small pages.
      var isBroken: Bool { resident != .max }

      /// The first of so many free units in a row, rather of those that use memory already.
      func firstUnit(for count: Int) -> Int? {
        for candidates in [idle, ~taken] {
          // A bit for each unit that begins a run.
          let runs = (1..<count).reduce(candidates) { $0 & (candidates >> UInt32($1)) }
          if runs != 0 { return runs.trailingZeroBitCount }
        }
        return nil
      }
    }

    /// A block of its own: its address space, and how much of it has been in use, in bytes.
    @safe
    private struct Mapping {
      let base: UnsafeMutableRawPointer
      let length: Int
      var touched: Int
    }

    private static let queue = DispatchQueue(label: "ECS.LargeBlocks")

    // Guarded by the queue: the chunks by their page.
    @safe nonisolated(unsafe) private static var chunks: [UInt: DividedPage] = [:]

    // Guarded by the queue: the chunks that have free units.
    @safe nonisolated(unsafe) private static var open = ChunkList()

    // Guarded by the queue: the chunks that have idle ones.
    @safe nonisolated(unsafe) private static var idle = ChunkList()

    // Guarded by the queue: how many units use memory for nothing.
    @safe nonisolated(unsafe) private static var idleUnits = 0

    // Guarded by the queue.
    @safe nonisolated(unsafe) private static var mappings: [UnsafeMutableRawPointer: Mapping] =
      unsafe [:]

    // Guarded by the queue.
    @safe nonisolated(unsafe) private static var spareMappings: [Mapping] = []

    private static var reserve: Int {
      spareMappings.reduce(idleUnits * unit) { $0 + $1.touched }
    }

    /// A block for any type of value.
    @inline(never)
    static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
      unsafe queue.sync {
        unsafe byteCount <= largestInChunk
          ? takeUnits((byteCount + unit - 1) / unit) : makeMapping(byteCount)
      }
    }

    @inline(never)
    static func free(_ block: UnsafeMutableRawPointer, _ byteCount: Int) {
      queue.sync {
        if let mapping = unsafe mappings.removeValue(forKey: block) {
          giveMapping(mapping)
        } else {
          unsafe giveUnits((byteCount + unit - 1) / unit, at: block)
        }
      }
    }

    /// Makes a block larger where it is, if there is room.
    @inline(never)
    static func extend(_ block: UnsafeMutableRawPointer, from old: Int, to new: Int) -> Bool {
      if old <= largestInChunk { return new <= (old + unit - 1) / unit * unit }
      return queue.sync {
        guard let mapping = unsafe mappings[block], new <= mapping.length else { return false }
        shrinkReserve(by: new - mapping.touched)
        unsafe mappings[block]?.touched = max(new, mapping.touched)
        return true
      }
    }

    /// Gives everything back to the kernel that no block uses.
    static func giveReserveBack() {
      queue.sync { shrinkReserve(by: reserve, betweenBlocks: true) }
    }

    /// Gives memory back to the kernel: of chunks and mappings without blocks, and if that is not
    /// enough, perhaps what is free between blocks, whose huge pages are broken then.
    private static func shrinkReserve(by byteCount: Int, betweenBlocks: Bool = false) {
      guard byteCount > 0 else { return }
      let target = max(0, reserve - byteCount)
      giveChunksBack(until: target) { $0.taken == 0 }
      while reserve > target, let spare = spareMappings.popLast() {
        unsafe munmap(spare.base, spare.length)
      }
      if betweenBlocks { giveChunksBack(until: target) { _ in true } }
    }

    // MARK: Chunks

    /// How many open chunks are tried before there is a new one.
    private static var mostTried: Int { 64 }

    private static func page(of address: UnsafeMutableRawPointer) -> UInt {
      UInt(bitPattern: address) / UInt(hugePage)
    }

    private static func takeUnits(_ count: Int) -> UnsafeMutableRawPointer {
      for page in open.pages.suffix(mostTried).reversed() {
        guard let chunk = chunks[page], let first = chunk.firstUnit(for: count) else { continue }
        return unsafe take(count, at: first, of: chunk)
      }
      let chunk = unsafe DividedPage(base: map(hugePage))
      idleUnits += 32
      return unsafe take(count, at: 0, of: chunk)
    }

    private static func take(
      _ count: Int, at first: Int, of chunk: DividedPage
    ) -> UnsafeMutableRawPointer {
      let run = (UInt32.max >> UInt32(32 - count)) << UInt32(first)
      var chunk = chunk
      idleUnits -= (chunk.resident & run).nonzeroBitCount
      chunk.resident |= run
      chunk.taken |= run
      note(chunk)
      // SAFETY: the run is within the 32 units that make a chunk.
      return unsafe chunk.base + first * unit
    }

    private static func giveUnits(_ count: Int, at block: UnsafeMutableRawPointer) {
      guard var chunk = unsafe chunks[page(of: block)] else {
        stop("A block was freed that was not allocated here.")
      }
      let run = UInt32.max >> UInt32(32 - count)
      unsafe chunk.taken &= ~(run << UInt32((block - chunk.base) / unit))
      idleUnits += count
      if chunk.taken == 0, chunk.isBroken {
        unmap(chunk)
      } else {
        note(chunk)
      }
      // Half of it at once, so that there is not much to do for each block.
      if reserve > largestReserve {
        shrinkReserve(by: reserve - largestReserve / 2, betweenBlocks: true)
      }
    }

    /// Keeps what has become of a chunk.
    private static func note(_ chunk: DividedPage) {
      let page = unsafe page(of: chunk.base)
      chunks[page] = chunk
      open.set(page, isMember: chunk.taken != .max)
      idle.set(page, isMember: chunk.idle != 0)
    }

    private static func unmap(_ chunk: DividedPage) {
      let page = unsafe page(of: chunk.base)
      chunks[page] = nil
      open.set(page, isMember: false)
      idle.set(page, isMember: false)
      idleUnits -= chunk.idle.nonzeroBitCount
      unsafe munmap(chunk.base, hugePage)
    }

    /// Gives memory of idle units back to the kernel, of chunks of a sort.
    private static func giveChunksBack(until target: Int, where isMeant: (DividedPage) -> Bool) {
      for page in idle.pages {
        if reserve <= target { return }
        guard var chunk = chunks[page], isMeant(chunk) else { continue }
        if chunk.taken == 0 {
          unmap(chunk)
        } else {
          idleUnits -= chunk.idle.nonzeroBitCount
          giveIdleUnitsBack(of: chunk)
          chunk.resident = chunk.taken
          note(chunk)
        }
      }
    }

    private static func giveIdleUnitsBack(of chunk: DividedPage) {
      // Else the kernel makes a huge page of it again.
      unsafe madvise(chunk.base, hugePage, MADV_NOHUGEPAGE)
      var rest = chunk.idle
      while rest != 0 {
        let first = rest.trailingZeroBitCount
        let count = (~(rest >> UInt32(first))).trailingZeroBitCount
        // SAFETY: the units are within the chunk, and no block has them.
        unsafe madvise(chunk.base + first * unit, count * unit, MADV_DONTNEED)
        rest &= ~((UInt32.max >> UInt32(32 - count)) << UInt32(first))
      }
    }

    // MARK: Mappings

    private static func makeMapping(_ byteCount: Int) -> UnsafeMutableRawPointer {
      let length = (byteCount + hugePage - 1) / hugePage * hugePage
      if let spare = unsafe takeSpareMapping(length) { return unsafe spare }
      shrinkReserve(by: length)
      // Where address space is rationed, there is none to spare.
      let (block, size) =
        unsafe tryToMap(length * room).map { unsafe ($0, length * room) } ?? (map(length), length)
      unsafe mappings[block] = Mapping(base: block, length: size, touched: length)
      return unsafe block
    }

    /// What has grown most, since what is asked for first mostly grows most.
    private static func takeSpareMapping(_ length: Int) -> UnsafeMutableRawPointer? {
      let fitting = spareMappings.indices.filter { spareMappings[$0].length >= length }
      guard let index = fitting.max(by: { spareMappings[$0].touched < spareMappings[$1].touched })
      else { return nil }
      var spare = spareMappings.remove(at: index)
      shrinkReserve(by: length - spare.touched)
      spare.touched = max(length, spare.touched)
      unsafe mappings[spare.base] = spare
      return unsafe spare.base
    }

    private static func giveMapping(_ mapping: Mapping) {
      if reserve + mapping.touched > largestReserve {
        unsafe munmap(mapping.base, mapping.length)
      } else {
        spareMappings.append(mapping)
      }
    }

    private static func map(_ length: Int) -> UnsafeMutableRawPointer {
      guard let block = unsafe tryToMap(length) else {
        stop("There is no memory left for \(length) bytes.")
      }
      return unsafe block
    }

    /// Maps memory that begins at a huge page.
    private static func tryToMap(_ length: Int) -> UnsafeMutableRawPointer? {
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
      let all = unsafe mmap(nil, length + hugePage, PROT_READ | PROT_WRITE, flags, -1, 0)
      guard let all = unsafe all, Int(bitPattern: all) != -1 else { return nil }
      // SAFETY: what is unmapped lies within the new mapping, before and after the part kept.
      let before = (hugePage - Int(bitPattern: all) % hugePage) % hugePage
      let block = unsafe all + before
      if before > 0 { unsafe munmap(all, before) }
      if before < hugePage { unsafe munmap(block + length, hugePage - before) }
      unsafe madvise(block, length, MADV_HUGEPAGE)
      return unsafe block
    }
  }

  /// Some of the chunks, by their pages; in any order, each change in O(1).
  private struct ChunkList {
    private(set) var pages: [UInt] = []
    private var indices: [UInt: Int] = [:]

    mutating func set(_ page: UInt, isMember: Bool) {
      guard isMember else { return remove(page) }
      guard indices[page] == nil else { return }
      indices[page] = pages.count
      pages.append(page)
    }

    private mutating func remove(_ page: UInt) {
      guard let index = indices.removeValue(forKey: page) else { return }
      let last = pages.removeLast()
      guard index < pages.count else { return }
      pages[index] = last
      indices[last] = index
    }
  }
#endif
