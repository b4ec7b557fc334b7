import Dispatch
import Synchronization

/// The process-wide map from component types to their descriptions.
///
/// Look-ups are lock-free: they probe an open-addressing table whose entries are filled once and
/// never change. Registration, once per type, takes a lock, and publishes a table twice as large
/// when half of it is in use; replaced tables are never freed, because look-ups may still
/// be reading them (their sizes add up to less than the current one's). Each table begins with its
/// capacity and the table that it replaced, which lets leak checkers find all.
@usableFromInline
enum ComponentRegistry {
  private static let current = unsafe Atomic<UInt>(
    UInt(bitPattern: makeTable(capacity: 256, replacing: 0)))
  private static let registration = DispatchQueue(label: "ECS.ComponentRegistry")

  // Guarded by the queue.
  @safe nonisolated(unsafe) private static var count: UInt32 = 0

  /// An entry holds the key in its first word and the description in its second.
  private typealias Word = Atomic<UInt>
  private static var headerWords: Int { 2 }

  @usableFromInline
  static func cid<C: Component>(of type: C.Type) -> CID {
    let key = ComponentKey(type)
    if let found = find(key) { return found }
    // Before: it is code of the user's, which may use further types.
    let requirement = C.requires
    return registration.sync {
      if let found = find(key) { return found }
      let cid = CID(ComponentInfo(type, id: count, requiring: requirement))
      count += 1
      insert(key, cid, count: Int(count))
      return cid
    }
  }

  static func find(_ key: ComponentKey) -> CID? {
    let table = unsafe table(current.load(ordering: .acquiring))
    let capacity = unsafe Int(table[0].load(ordering: .relaxed))
    var index = key.home(shift: shift(capacity))
    while true {
      let words = unsafe table + headerWords + 2 * index
      // The key is stored after the description, with release: a reader that sees it sees both.
      let found = unsafe words[0].load(ordering: .acquiring)
      if found == key.bits {
        return unsafe CID(bits: words[1].load(ordering: .relaxed))
      }
      if found == 0 { return nil }
      index = (index + 1) & (capacity - 1)
    }
  }

  private static func insert(_ key: ComponentKey, _ cid: CID, count: Int) {
    let old = unsafe table(current.load(ordering: .relaxed))
    let capacity = unsafe Int(old[0].load(ordering: .relaxed))
    guard count * 2 > capacity else {
      unsafe fill(old, key.bits, cid.bits)
      return
    }
    let grown = unsafe makeTable(capacity: capacity * 2, replacing: UInt(bitPattern: old))
    for index in 0..<capacity {
      let words = unsafe old + headerWords + 2 * index
      let bits = unsafe words[0].load(ordering: .relaxed)
      if bits != 0 { unsafe fill(grown, bits, words[1].load(ordering: .relaxed)) }
    }
    unsafe fill(grown, key.bits, cid.bits)
    current.store(UInt(bitPattern: grown), ordering: .releasing)
  }

  private static func fill(_ table: UnsafeMutablePointer<Word>, _ key: UInt, _ cid: UInt) {
    let capacity = unsafe Int(table[0].load(ordering: .relaxed))
    var index = home(of: key, capacity)
    while unsafe table[headerWords + 2 * index].load(ordering: .relaxed) != 0 {
      index = (index + 1) & (capacity - 1)
    }
    unsafe table[headerWords + 2 * index + 1].store(cid, ordering: .relaxed)
    unsafe table[headerWords + 2 * index].store(key, ordering: .releasing)
  }

  private static func home(of key: UInt, _ capacity: Int) -> Int {
    ComponentKey(bits: key).home(shift: shift(capacity))
  }

  private static func shift(_ capacity: Int) -> UInt64 {
    UInt64(64 - capacity.trailingZeroBitCount)
  }

  // SAFETY: `bits` was made from a table by `makeTable`; tables are never freed.
  private static func table(_ bits: UInt) -> UnsafeMutablePointer<Word> {
    guard let table = unsafe UnsafeMutablePointer<Word>(bitPattern: bits) else {
      stop("The component registry lost its table.")
    }
    return unsafe table
  }

  private static func makeTable(capacity: Int, replacing old: UInt) -> UnsafeMutablePointer<Word> {
    let words = headerWords + 2 * capacity
    let table = UnsafeMutablePointer<Word>.allocate(capacity: words)
    for word in 0..<words { unsafe (table + word).initialize(to: Word(0)) }
    unsafe table[0].store(UInt(capacity), ordering: .relaxed)
    unsafe table[1].store(old, ordering: .relaxed)
    return unsafe table
  }
}
