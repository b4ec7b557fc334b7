/// The observers of one subject, in the order in which they came.
///
/// Coming and going are O(1), amortized, also while someone walks over them: who goes leaves a
/// gap, and gaps are closed when they are half of all and nobody walks.
///
/// PERFORMANCE: O1, O2: walks count no references and check no exclusivity.
@safe
struct ObserverTable<Member: StableListMember>: ~Copyable {
  private typealias Place = Unmanaged<Member>?

  @safe
  private struct State {
    var places: UnsafeMutablePointer<Place>
    var capacity = 1
    var end = 0
    var count = 0
    var walkers = 0

    /// The members by the kinds of changes that they are told; nil until that is asked for.
    var packs: UnsafeMutablePointer<HandlerBatch>?

    /// Whether those are in there that are in here.
    var arePacked = false
  }

  // INVARIANT: the places below `end` are initialized. Each holds a member, which it retains and
  // which knows its place, or is a gap. Most have one member, and a place for it behind the state.
  // SAFETY: the state is initialized as long as the places are there.
  @safe private let state: UnsafeMutablePointer<State>

  init() {
    // SAFETY: the block has room for the state and, behind it, aligned as it is, for one place.
    let block = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<State>.stride + MemoryLayout<Place>.stride,
      alignment: MemoryLayout<State>.alignment)
    let place = unsafe (block + MemoryLayout<State>.stride).bindMemory(to: Place.self, capacity: 1)
    state = unsafe block.bindMemory(to: State.self, capacity: 1)
    unsafe state.initialize(to: State(places: place))
  }

  private var isInOwnBlock: Bool {
    unsafe UnsafeMutableRawPointer(state.pointee.places)
      != UnsafeMutableRawPointer(state) + MemoryLayout<State>.stride
  }

  /// Releases all members, and the memory.
  deinit {
    for member in members { remove(member) }
    // SAFETY: nobody walks any more, and nothing retains anything.
    if isInOwnBlock { unsafe state.pointee.places.deallocate() }
    if let packs = unsafe state.pointee.packs {
      for number in 0..<3 { unsafe packs[number].deallocate() }
      unsafe packs.deallocate()
    }
    unsafe state.deallocate()
  }

  var count: Int { state.pointee.count }
  var isEmpty: Bool { state.pointee.count == 0 }

  /// The members, in their order.
  var members: [Member] {
    // SAFETY: places below `end` are initialized, and retain their members.
    (0..<state.pointee.end).compactMap { unsafe state.pointee.places[$0]?.takeUnretainedValue() }
  }

  /// The only member; nil if there are none, or several, or too many places to look at.
  ///
  /// - Complexity: O(1).
  var only: Member? {
    guard state.pointee.count == 1, state.pointee.end <= 16 else { return nil }
    return members.first
  }

  func append(_ member: Member) {
    if state.pointee.end == state.pointee.capacity { grow() }
    member.listIndex = state.pointee.end
    // SAFETY: there is room behind the last place.
    unsafe (state.pointee.places + state.pointee.end).initialize(to: Unmanaged.passRetained(member))
    state.pointee.end += 1
    state.pointee.count += 1
    state.pointee.arePacked = false
  }

  private func grow() {
    let capacity = max(4, state.pointee.capacity * 2)
    let places = UnsafeMutablePointer<Place>.allocate(capacity: capacity)
    // SAFETY: `end` places are initialized, and fit. A place is trivial.
    unsafe places.initialize(from: state.pointee.places, count: state.pointee.end)
    if isInOwnBlock { unsafe state.pointee.places.deallocate() }
    unsafe state.pointee.places = places
    state.pointee.capacity = capacity
  }

  /// Takes a member out; does nothing if it is not in here.
  func remove(_ member: Member) {
    let place = member.listIndex
    // SAFETY: places below `end` are initialized. The member is retained by its place until the
    // end.
    guard place >= 0, place < state.pointee.end,
      let found = unsafe state.pointee.places[place],
      unsafe found.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
    else { return }
    unsafe state.pointee.places[place] = nil
    state.pointee.count -= 1
    state.pointee.arePacked = false
    if state.pointee.walkers == 0 { closeGaps() }
    unsafe found.release()
  }

  private func closeGaps() {
    guard state.pointee.count * 2 <= state.pointee.end else { return }
    guard state.pointee.count > 0 else {
      state.pointee.end = 0
      return
    }
    guard state.pointee.end >= 16 else { return }
    var end = 0
    // SAFETY: `end` grows more slowly than `place`; places retain their members.
    for place in 0..<state.pointee.end {
      guard let member = unsafe state.pointee.places[place] else { continue }
      unsafe state.pointee.places[end] = member
      unsafe member._withUnsafeGuaranteedRef { $0.listIndex = end }
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
      unsafe state.pointee.places[place]?._withUnsafeGuaranteedRef { body($0) }
    }
    state.pointee.walkers &-= 1
    if state.pointee.walkers == 0, state.pointee.count < state.pointee.end { closeGaps() }
  }
}

extension ObserverTable where Member: ChangeObserver {
  /// The handler of the only member that is told a kind of changes; nobody if there are none, or
  /// several, or too many places to look at.
  ///
  /// - Complexity: O(1).
  func singleHandler(of kind: ReactionKind) -> SingleHandler {
    guard state.pointee.end <= 16 else { return .nobody }
    var single = SingleHandler.nobody
    for place in 0..<state.pointee.end {
      // SAFETY: as in `members`.
      guard let member = unsafe state.pointee.places[place],
        unsafe member._withUnsafeGuaranteedRef({ $0.wants(kind) })
      else { continue }
      if single.isThere { return .nobody }
      single = unsafe member._withUnsafeGuaranteedRef { SingleHandler($0) }
    }
    return single
  }

  /// Tells a change to all who are told its kind, began in time and are there when it is their
  /// turn, as long as it holds.
  ///
  /// As long as journals are observed, a body is given them instead, one by one. Changes are told
  /// one at a time.
  @inline(__always)
  func tell(_ change: QueuedChange, _ scope: ChangeScope, alone: (Member) -> Void) {
    if !state.pointee.arePacked { pack(scope) }
    guard let packs = unsafe state.pointee.packs else { return }
    // SAFETY: there is a pack for each kind. They stay where they are, and are not filled while a
    // change is told.
    let pack = unsafe packs + Int(change.kind.rawValue)
    unsafe pack.pointee.begin()
    unsafe HandlerBatch.tellRuns(pack, change)
    while let observer = unsafe pack.pointee.nextAlone(change) {
      // SAFETY: only members are in packs.
      unsafe observer._withUnsafeGuaranteedRef { unsafe alone(unsafeDowncast($0, to: Member.self)) }
    }
  }

  /// Finds out who is told what.
  ///
  /// - Complexity: O(*k*), where *k* is the number of members.
  @inline(never)
  private func pack(_ scope: ChangeScope) {
    if unsafe state.pointee.packs == nil {
      let packs = UnsafeMutablePointer<HandlerBatch>.allocate(capacity: 3)
      for number in 0..<3 { unsafe (packs + number).initialize(to: HandlerBatch(scope)) }
      unsafe state.pointee.packs = unsafe packs
    }
    guard let packs = unsafe state.pointee.packs else { return }
    let members = members
    for kind in [ReactionKind.added, .updated, .removed] {
      unsafe packs[Int(kind.rawValue)].fill(with: members.filter { $0.wants(kind) })
    }
    state.pointee.arePacked = true
  }
}
