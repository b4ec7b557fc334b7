/// Those who observe one subject, in the order in which they came.
///
/// Coming and going are O(1), amortized, also while someone walks over them: who goes leaves a
/// gap, and gaps are closed when they are half of all and nobody walks.
///
/// PERFORMANCE: O1, O2: walks count no references and check no exclusivity.
struct ObserverPlaces<Member: RosterMember> {
  private typealias Place = Unmanaged<Member>?

  private struct State {
    var places: UnsafeMutablePointer<Place>
    var capacity = 1
    var end = 0
    var count = 0
    var walkers = 0
  }

  // INVARIANT: the places below `end` are initialized. Each holds a member, which it retains and
  // which knows its place, or is a gap. Most have one member, and a place for it behind the state.
  private let state: UnsafeMutablePointer<State>

  init() {
    // SAFETY: the block has room for the state and, behind it, aligned as it is, for one place.
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<State>.stride + MemoryLayout<Place>.stride,
      alignment: MemoryLayout<State>.alignment)
    let place = (block + MemoryLayout<State>.stride).bindMemory(to: Place.self, capacity: 1)
    state = block.bindMemory(to: State.self, capacity: 1)
    state.initialize(to: State(places: place))
  }

  private var isInOwnBlock: Bool {
    UnsafeMutableRawPointer(state.pointee.places)
      != UnsafeMutableRawPointer(state) + MemoryLayout<State>.stride
  }

  /// Releases all members, and the memory.
  func deallocate() {
    for member in members { remove(member) }
    // SAFETY: nobody walks any more, and nothing retains anything.
    if isInOwnBlock { state.pointee.places.deallocate() }
    state.deallocate()
  }

  var count: Int { state.pointee.count }
  var isEmpty: Bool { state.pointee.count == 0 }

  /// The members, in their order.
  var members: [Member] {
    // SAFETY: places below `end` are initialized, and retain their members.
    (0..<state.pointee.end).compactMap { state.pointee.places[$0]?.takeUnretainedValue() }
  }

  func append(_ member: Member) {
    if state.pointee.end == state.pointee.capacity { grow() }
    member.rosterPlace = state.pointee.end
    // SAFETY: there is room behind the last place.
    (state.pointee.places + state.pointee.end).initialize(to: Unmanaged.passRetained(member))
    state.pointee.end += 1
    state.pointee.count += 1
  }

  private func grow() {
    let capacity = max(4, state.pointee.capacity * 2)
    let places = UnsafeMutablePointer<Place>.allocate(capacity: capacity)
    // SAFETY: `end` places are initialized, and fit. A place is trivial.
    places.initialize(from: state.pointee.places, count: state.pointee.end)
    if isInOwnBlock { state.pointee.places.deallocate() }
    state.pointee.places = places
    state.pointee.capacity = capacity
  }

  /// Takes a member out; does nothing if it is not in here.
  func remove(_ member: Member) {
    let place = member.rosterPlace
    guard place >= 0, place < state.pointee.end,
      let found = state.pointee.places[place],
      found.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
    else { return }
    state.pointee.places[place] = nil
    state.pointee.count -= 1
    if state.pointee.walkers == 0 { closeGaps() }
    found.release()
  }

  private func closeGaps() {
    guard state.pointee.count * 2 <= state.pointee.end else { return }
    guard state.pointee.count > 0 else {
      state.pointee.end = 0
      return
    }
    guard state.pointee.end >= 16 else { return }
    var end = 0
    for place in 0..<state.pointee.end {
      guard let member = state.pointee.places[place] else { continue }
      state.pointee.places[end] = member
      member._withUnsafeGuaranteedRef { $0.rosterPlace = end }
      end += 1
    }
    state.pointee.end = end
  }

  /// Visits the members that there are at this moment and that are not gone when the walk comes to
  /// them.
  ///
  /// Who goes meanwhile has to be kept until the walk is over: see `Core.retire`.
  @inline(__always)
  func walk(_ body: (Member) -> Void) {
    state.pointee.walkers &+= 1
    // SAFETY: nobody moves places while someone walks, except to larger blocks; members live as the
    // summary says.
    for place in 0..<state.pointee.end {
      state.pointee.places[place]?._withUnsafeGuaranteedRef { body($0) }
    }
    state.pointee.walkers &-= 1
    if state.pointee.walkers == 0, state.pointee.count < state.pointee.end { closeGaps() }
  }
}
