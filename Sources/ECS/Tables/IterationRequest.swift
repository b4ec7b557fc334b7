/// A request of an iteration: what it does with the components that it asks for, of which there are
/// eight at most.
///
/// Only iterations make one.
@safe
@_documentation(visibility: internal)
// PERFORMANCE: I0, I3: it lies on the stack of the iteration, and what wants it has its address,
// so that nothing is allocated, counted or copied. It has keys, which need no look-ups.
public struct IterationRequest {
  // INVARIANT: the bits of keys: at the front of components that are changed, behind these of
  // components that are read, at the back of those that are read where they are there; in between,
  // 0.
  // SAFETY: read by `Reference` only.
  @safe @usableFromInline var types: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

  /// Where components end that are changed, and behind these, where those end that are read.
  @usableFromInline var mutatedEnd: UInt8
  @usableFromInline var readEnd: UInt8

  /// Where components begin that are read where they are there.
  @usableFromInline var optionalStart: UInt8

  /// How many columns may have values that a closure is changing, and that reads have to look at.
  @usableFromInline var exclusiveCount: UInt8

  /// The body gets the columns themselves, not copies of values.
  @usableFromInline let isDirect: Bool

  /// Makes a request that asks for nothing yet.
  // PERFORMANCE: I0: inlined, all that makes a request is stores of constants.
  @inlinable
  @inline(__always)
  init(isDirect: Bool) {
    types = (0, 0, 0, 0, 0, 0, 0, 0)
    mutatedEnd = 0
    readEnd = 0
    optionalStart = 8
    exclusiveCount = 0
    self.isDirect = isDirect
  }

  /// The request with one more component to change; those to read come behind these.
  @inlinable
  @inline(__always)
  func changing<C: Component>(_ type: C.Type) -> IterationRequest {
    var request = self
    request.store(ComponentKey(type), at: mutatedEnd)
    request.mutatedEnd &+= 1
    request.readEnd = request.mutatedEnd
    if isDirect || !_isPOD(type) { request.exclusiveCount &+= 1 }
    return request
  }

  /// The request with one more component to read, or to read where it is there.
  @inlinable
  @inline(__always)
  func reading<Q: IterationValue>(_ type: Q.Type) -> IterationRequest {
    let asked = Q.iteratedType
    return reading(asked.key, isOptional: asked.isOptional)
  }

  /// The request with one more component to read through a span.
  @inlinable
  @inline(__always)
  func reading<Q: ChunkValues & ~Escapable>(_ type: Q.Type) -> IterationRequest {
    reading(ComponentKey(Q.ChunkComponent.self), isOptional: Q.isOptionalInChunks)
  }

  @inlinable
  @inline(__always)
  func reading(_ key: ComponentKey, isOptional: Bool) -> IterationRequest {
    var request = self
    if isOptional {
      request.store(key, at: optionalStart &- 1)
      request.optionalStart &-= 1
    } else {
      request.store(key, at: readEnd)
      request.readEnd &+= 1
    }
    return request
  }

  @inlinable
  @inline(__always)
  mutating func store(_ key: ComponentKey, at position: UInt8) {
    assert(readEnd < optionalStart, "Iterations are about eight at most.")
    // SAFETY: there is room for eight.
    unsafe withUnsafeMutableBytes(of: &types) { bytes in
      unsafe bytes.storeBytes(
        of: key.bits, toByteOffset: Int(position) &* MemoryLayout<UInt>.stride, as: UInt.self)
    }
  }

  /// Whether another one asks for the same components in the same order, whatever for.
  @inline(__always)
  func asksForSame(as other: IterationRequest) -> Bool {
    let (mine, others) = (types, other.types)
    return mine.0 == others.0 && mine.1 == others.1 && mine.2 == others.2 && mine.3 == others.3
      && mine.4 == others.4 && mine.5 == others.5 && mine.6 == others.6 && mine.7 == others.7
      && readEnd == other.readEnd
  }

  /// The components that entities have to have.
  var needed: [CID] {
    // SAFETY: a key has no other bits than these.
    unsafe withUnsafeBytes(of: types) { bytes in
      (0..<Int(readEnd)).map { position in
        unsafe bytes.load(
          fromByteOffset: position &* MemoryLayout<ComponentKey>.stride, as: ComponentKey.self
        ).cid
      }
    }
  }

  /// Some number that depends on the first components, in their order.
  @inline(__always)
  var hash: UInt64 {
    let mixed = types.0 &+ types.1 &* 3 &+ types.2 &* 5 &+ types.3 &* 7
    return ComponentKey(bits: mixed).product
  }

  /// The address of a request.
  @safe
  @usableFromInline
  struct Reference {
    // SAFETY: the request stays there as long as its iteration runs.
    private let request: UnsafePointer<IterationRequest>

    @usableFromInline
    init(_ request: UnsafePointer<IterationRequest>) { unsafe self.request = request }
  }
}

extension IterationRequest.Reference {
  /// Some of the components, in order.
  struct Types: RandomAccessCollection {
    fileprivate let request: IterationRequest.Reference
    let startIndex: Int
    let endIndex: Int

    subscript(position: Int) -> ComponentKey { request[position] }
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
    unsafe Types(request: self, startIndex: 0, endIndex: Int(request.pointee.mutatedEnd))
  }

  /// Those that entities have to have.
  var needed: Types {
    unsafe Types(request: self, startIndex: 0, endIndex: Int(request.pointee.readEnd))
  }

  /// Those that it reads where they are there; they are the last ones.
  var optional: Types {
    unsafe Types(request: self, startIndex: Int(request.pointee.optionalStart), endIndex: 8)
  }

  /// Whether it asks for a component.
  func asks(for key: ComponentKey) -> Bool { needed.contains(key) || optional.contains(key) }

  /// The body gets the columns themselves, not copies of values.
  var isDirect: Bool { unsafe request.pointee.isDirect }

  /// How many columns may have values that a closure is changing, and that reads have to look at.
  var exclusiveCount: Int { unsafe Int(request.pointee.exclusiveCount) }

  var mutatedEnd: Int { unsafe Int(request.pointee.mutatedEnd) }
  var neededEnd: Int { unsafe Int(request.pointee.readEnd) }
  var optionalStart: Int { unsafe Int(request.pointee.optionalStart) }

  // PERFORMANCE: I0: what follows is asked for each table. Loops over collections take twice as
  // many instructions.

  /// Whether the iteration visits a table of its group.
  @inline(__always)
  func isMet(by table: TablePointer) -> Bool {
    unsafe table.pointee.count > 0 && edgesLead(0, neededEnd, table) { _ in true }
  }

  /// As `isMet(by:)`, and whether it is known that nothing reacts to what it mutates there.
  @inline(__always)
  func isMetQuietly(by table: TablePointer) -> (isMet: Bool, isQuiet: Bool) {
    guard unsafe table.pointee.count > 0 else { return (false, true) }
    var isQuiet = true
    let isMet =
      unsafe edgesLead(0, mutatedEnd, table) { edge in
        let isListed = unsafe edge.pointee.isReplaceListed
        if unsafe !isListed || edge.pointee.replaceReactions != nil { isQuiet = false }
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
