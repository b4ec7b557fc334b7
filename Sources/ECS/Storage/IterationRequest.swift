/// What an iteration does with the components that it asks for, of which there are eight at most.
// PERFORMANCE: I0, I3: it lies on the stack of the iteration, and whoever wants it has its address, so that nothing is
// allocated, counted or copied.
@safe
@usableFromInline
struct IterationRequest {
  // INVARIANT: the first ones are the bits of identifiers, as many as the ends say.
  // SAFETY: read by `Place` only.
  @safe @usableFromInline var types: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

  // Where components end that are changed, and behind these, where those end that are read, and those that are read
  // where they are there.
  @usableFromInline let mutatedEnd: UInt8
  @usableFromInline let readEnd: UInt8
  @usableFromInline let end: UInt8

  /// The body gets the columns themselves, not copies of values.
  @usableFromInline let isDirect: Bool

  // PERFORMANCE: I0: inlined, nothing is left of the arrays.
  @inlinable
  @inline(__always)
  init(mutated: [CID], read: [CID], optional: [CID], isDirect: Bool) {
    types = (0, 0, 0, 0, 0, 0, 0, 0)
    mutatedEnd = UInt8(truncatingIfNeeded: mutated.count)
    readEnd = mutatedEnd &+ UInt8(truncatingIfNeeded: read.count)
    end = readEnd &+ UInt8(truncatingIfNeeded: optional.count)
    self.isDirect = isDirect
    assert(mutated.count + read.count + optional.count <= 8, "Iterations are about eight at most.")
    // SAFETY: there is room for eight.
    unsafe withUnsafeMutableBytes(of: &types) { places in
      var offset = 0
      for cid in mutated {
        unsafe places.storeBytes(of: cid.bits, toByteOffset: offset, as: UInt.self)
        offset &+= MemoryLayout<UInt>.size
      }
      for cid in read {
        unsafe places.storeBytes(of: cid.bits, toByteOffset: offset, as: UInt.self)
        offset &+= MemoryLayout<UInt>.size
      }
      for cid in optional {
        unsafe places.storeBytes(of: cid.bits, toByteOffset: offset, as: UInt.self)
        offset &+= MemoryLayout<UInt>.size
      }
    }
  }

  /// Where a request lies.
  @safe
  @usableFromInline
  struct Place {
    // SAFETY: the request stays there as long as its iteration runs.
    private let request: UnsafePointer<IterationRequest>

    @usableFromInline
    init(_ request: UnsafePointer<IterationRequest>) { unsafe self.request = request }
  }
}

extension IterationRequest.Place {
  /// Some of the components, in order.
  struct Types: RandomAccessCollection {
    fileprivate let place: IterationRequest.Place
    let startIndex: Int
    let endIndex: Int

    subscript(position: Int) -> CID { place[position] }
  }

  fileprivate subscript(position: Int) -> CID {
    // SAFETY: the bits of so many identifiers lie at the beginning of the request.
    unsafe UnsafeRawPointer(request).load(
      fromByteOffset: position &* MemoryLayout<CID>.stride, as: CID.self)
  }

  /// Those that the iteration may change; they are the first ones.
  var mutated: Types {
    unsafe Types(place: self, startIndex: 0, endIndex: Int(request.pointee.mutatedEnd))
  }

  /// Those that entities have to have.
  var needed: Types {
    unsafe Types(place: self, startIndex: 0, endIndex: Int(request.pointee.readEnd))
  }

  /// Those that it only reads.
  var onlyRead: Types {
    unsafe Types(
      place: self, startIndex: Int(request.pointee.mutatedEnd), endIndex: Int(request.pointee.end))
  }

  /// All of them.
  var all: Types { unsafe Types(place: self, startIndex: 0, endIndex: Int(request.pointee.end)) }

  /// The body gets the columns themselves, not copies of values.
  var isDirect: Bool { unsafe request.pointee.isDirect }

  /// How many columns may have values that someone is changing, and that reads have to look at.
  var exclusiveCount: Int { mutated.count { isDirect || !$0.pointer.pointee.isTrivial } }

  /// Whether the iteration visits a table of its group.
  func isMet(by table: TablePointer) -> Bool {
    guard unsafe table.pointee.count > 0 else { return false }
    return needed.allSatisfy { unsafe table.pointee.edge($0.key)?.pointee.column != nil }
  }
}
