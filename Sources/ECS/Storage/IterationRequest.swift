/// What an iteration does with the components that it asks for, of which there are eight at most.
// PERFORMANCE: I0, I3: it lies on the stack of the iteration, and whoever wants it has its address, so that nothing is
// allocated, counted or copied. It has keys, which need no look-ups.
@safe
@usableFromInline
struct IterationRequest {
  /// A component that an iteration asks for.
  @usableFromInline
  struct Asked {
    @usableFromInline let key: ComponentKey
    @usableFromInline let isTrivial: Bool

    @inlinable
    @inline(__always)
    init<C: Component>(_ type: C.Type) {
      key = ComponentKey(type)
      isTrivial = _isPOD(type)
    }
  }

  // INVARIANT: the first ones are the bits of keys, as many as the ends say.
  // SAFETY: read by `Place` only.
  @safe @usableFromInline var types: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

  // Where components end that are changed, and behind these, where those end that are read, and those that are read
  // where they are there.
  @usableFromInline let mutatedEnd: UInt8
  @usableFromInline let readEnd: UInt8
  @usableFromInline let end: UInt8

  /// How many columns may have values that someone is changing, and that reads have to look at.
  @usableFromInline let exclusiveCount: UInt8

  /// The body gets the columns themselves, not copies of values.
  @usableFromInline let isDirect: Bool

  // PERFORMANCE: I0: inlined, nothing is left of the arrays.
  @inlinable
  @inline(__always)
  init(mutated: [Asked], read: [Asked], optional: [Asked], isDirect: Bool) {
    types = (0, 0, 0, 0, 0, 0, 0, 0)
    mutatedEnd = UInt8(truncatingIfNeeded: mutated.count)
    readEnd = mutatedEnd &+ UInt8(truncatingIfNeeded: read.count)
    end = readEnd &+ UInt8(truncatingIfNeeded: optional.count)
    self.isDirect = isDirect
    var exclusiveCount: UInt8 = 0
    for asked in mutated where isDirect || !asked.isTrivial { exclusiveCount &+= 1 }
    self.exclusiveCount = exclusiveCount
    assert(mutated.count + read.count + optional.count <= 8, "Iterations are about eight at most.")
    // SAFETY: there is room for eight.
    unsafe withUnsafeMutableBytes(of: &types) { places in
      var offset = 0
      for asked in mutated {
        unsafe places.storeBytes(of: asked.key.bits, toByteOffset: offset, as: UInt.self)
        offset &+= MemoryLayout<UInt>.size
      }
      for asked in read {
        unsafe places.storeBytes(of: asked.key.bits, toByteOffset: offset, as: UInt.self)
        offset &+= MemoryLayout<UInt>.size
      }
      for asked in optional {
        unsafe places.storeBytes(of: asked.key.bits, toByteOffset: offset, as: UInt.self)
        offset &+= MemoryLayout<UInt>.size
      }
    }
  }

  /// Whether another one asks for the same components in the same order, whatever for.
  @inline(__always)
  func asksForSame(as other: IterationRequest) -> Bool {
    let (mine, others) = (types, other.types)
    return mine.0 == others.0 && mine.1 == others.1 && mine.2 == others.2 && mine.3 == others.3
      && mine.4 == others.4 && mine.5 == others.5 && mine.6 == others.6 && mine.7 == others.7
  }

  /// Some number that depends on the first components, in their order.
  @inline(__always)
  var hash: UInt64 {
    let mixed = types.0 &+ types.1 &* 3 &+ types.2 &* 5 &+ types.3 &* 7
    return ComponentKey(bits: mixed).product
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

    subscript(position: Int) -> ComponentKey { place[position] }
  }

  /// A component by its position among all of them.
  @inline(__always)
  subscript(position: Int) -> ComponentKey {
    // SAFETY: the bits of so many keys lie at the beginning of the request.
    unsafe UnsafeRawPointer(request).load(
      fromByteOffset: position &* MemoryLayout<ComponentKey>.stride, as: ComponentKey.self)
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
  var exclusiveCount: Int { unsafe Int(request.pointee.exclusiveCount) }

  var mutatedEnd: Int { unsafe Int(request.pointee.mutatedEnd) }
  var neededEnd: Int { unsafe Int(request.pointee.readEnd) }
  var end: Int { unsafe Int(request.pointee.end) }

  // PERFORMANCE: I0: what follows is asked for each table. Loops over collections take twice as many instructions.

  /// Whether the iteration visits a table of its group.
  @inline(__always)
  func isMet(by table: TablePointer) -> Bool {
    unsafe table.pointee.count > 0 && edgesLead(0, neededEnd, table) { _ in true }
  }

  /// As `isMet(by:)`, and whether it is known that nobody reacts to what it mutates there.
  @inline(__always)
  func isMetQuietly(by table: TablePointer) -> (isMet: Bool, isQuiet: Bool) {
    guard unsafe table.pointee.count > 0 else { return (false, true) }
    var isQuiet = true
    let isMet =
      unsafe edgesLead(0, mutatedEnd, table) { edge in
        let isListed = unsafe edge.pointee.isReplaceListed
        if unsafe !isListed || edge.pointee.replace != nil { isQuiet = false }
        return true
      } && edgesLead(mutatedEnd, neededEnd, table) { _ in true }
    return (isMet, isQuiet)
  }

  /// Whether a table has some of the components, and a condition is true of the edge of each.
  @inline(__always)
  func edgesLead(
    _ first: Int, _ end: Int, _ table: TablePointer,
    _ condition: (UnsafeMutablePointer<Edge>) -> Bool
  ) -> Bool {
    var position = first
    while position < end {
      guard let edge = unsafe table.pointee.edge(self[position]),
        unsafe edge.pointee.column != nil, unsafe condition(edge)
      else { return false }
      position &+= 1
    }
    return true
  }
}
