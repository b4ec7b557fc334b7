/// The storage in a member for its index in a ``StableList``.
///
/// A type of its own for each kind of list, so that one object may be in several.
protocol StableListRole {
  associatedtype Member: AnyObject

  static func index(of member: Member) -> Int
  static func setIndex(_ index: Int, of member: Member)
}

/// A member of one list at a time.
protocol StableListMember: AnyObject {
  /// Its index in its list, which keeps it up to date.
  var listIndex: Int { get set }
}

/// The role of what is in one list at a time.
enum SingleRole<Member: StableListMember>: StableListRole {
  static func index(of member: Member) -> Int { member.listIndex }
  static func setIndex(_ index: Int, of member: Member) { member.listIndex = index }
}

/// Members in the order in which they came.
///
/// Coming and going are O(1), amortized, also during walks over them: a member that goes leaves a
/// gap, and gaps are closed when they are half of all and no walk goes on.
struct StableList<Role: StableListRole> {
  typealias Member = Role.Member

  // INVARIANT: each member has its index in here; all others are gaps.
  private var elements: ContiguousArray<Member?> = []
  private var walkers = 0

  private(set) var count = 0

  // PERFORMANCE: V3: mostly there is one, which is found without the elements, and not retained.
  // INVARIANT: the list keeps it. What leaves a list outlives the section in which it leaves.
  /// The member, if there is just one; nil as well while a walk goes on in whose course others came
  /// or went.
  private(set) var only: UnmanagedReference<Member>?

  var isEmpty: Bool { count == 0 }

  /// The number of members and gaps, which is how far a walk goes.
  var length: Int { elements.count }

  /// The members, in their order.
  var members: [Member] { elements.compactMap(\.self) }

  func contains(_ member: Member) -> Bool {
    let index = Role.index(of: member)
    return elements.indices.contains(index) && elements[index] === member
  }

  mutating func append(_ member: Member) {
    Role.setIndex(elements.count, of: member)
    elements.append(member)
    count += 1
    only = count == 1 && walkers == 0 ? UnmanagedReference(member) : nil
  }

  /// Takes a member out; does nothing if it is not in here.
  mutating func remove(_ member: Member) {
    guard contains(member) else { return }
    elements[Role.index(of: member)] = nil
    count -= 1
    only = nil
    if walkers == 0 { closeGaps() }
  }

  @inline(never)
  private mutating func closeGaps() {
    defer { if count == 1, only == nil { findOnly() } }
    guard count * 2 <= elements.count else { return }
    if count == 0 {
      elements = []
    } else if elements.count >= 16 {
      elements.removeAll { $0 == nil }
      for (index, member) in elements.enumerated() {
        if let member { Role.setIndex(index, of: member) }
      }
    }
  }

  // Gaps were closed: there are few elements.
  private mutating func findOnly() { only = first { _ in true }.map { UnmanagedReference($0) } }

  /// Begins a walk over the elements below the result, which hold the members of this moment that
  /// are not gone when the walk comes to them.
  ///
  /// Members stay where they are until `endWalk()`. Ask for each by `member(at:)`, and let no
  /// access to the list last while code of others runs.
  mutating func beginWalk() -> Int {
    walkers += 1
    return elements.count
  }

  func member(at index: Int) -> Member? { elements[index] }

  mutating func endWalk() {
    walkers -= 1
    if walkers == 0 { closeGaps() }
  }

  mutating func removeAll() { self = StableList() }
}

extension StableList: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate let elements: ContiguousArray<Member?>
    fileprivate var position = 0

    mutating func next() -> Member? {
      while position < elements.count {
        defer { position += 1 }
        if let member = elements[position] { return member }
      }
      return nil
    }
  }

  /// Visits the members that are there now.
  func makeIterator() -> Iterator { Iterator(elements: elements) }
}
