/// Values by entity: a dictionary whose look-ups cost about as much as those of an array.
///
/// For what is to be known of entities beside their components, outside of the context: what was
/// saved of them last, which row shows them. What is a part of an entity is better a component,
/// which ends with it.
///
/// ```swift
/// var rows = EntityMap<Int>()
/// rows[player] = 3
/// rows[player]  // 3
/// rows[other]   // nil
/// ```
///
/// Entities are distinguished by their handles. So a value stays when its entity dies, until it is
/// removed, and is never found for another one. Look-ups are fastest for living entities of one
/// context: others than the last entity of a place in storage, and those of further contexts, are
/// looked up by their hashes.
///
/// The map visits its entities in the order in which they got a value, as long as none is removed.
/// It takes 20 bytes an entity besides the value where entities of a context are dense in it, and
/// about 70 otherwise.
public struct EntityMap<Value> {
  /// An entity with its value.
  public typealias Element = (entity: Entity, value: Value)

  @usableFromInline var elements: ContiguousArray<Element> = []

  // INVARIANT: each element is known in one of the two, under its entity: by its slot, or by
  // itself.

  /// By slot, the place of an element; that of no element if there is none.
  @usableFromInline var places: ContiguousArray<UInt32> = []

  /// The places of elements whose slots belong to others, or are too far away.
  @usableFromInline var others: [Entity: Int] = [:]

  @inlinable static var nowhere: UInt32 { .max }

  /// Makes an empty map.
  public init() {}

  /// The number of entities that have a value.
  ///
  /// - Complexity: O(1).
  @inlinable public var count: Int { elements.count }

  /// Whether no entity has a value.
  ///
  /// - Complexity: O(1).
  @inlinable public var isEmpty: Bool { elements.isEmpty }

  // MARK: Looking up

  /// The value of an entity; nil if it has none.
  ///
  /// Setting nil removes it.
  ///
  /// - Complexity: O(1), amortized if it is set.
  @inlinable
  public subscript(entity: Entity) -> Value? {
    get {
      guard let place = place(of: entity) else { return nil }
      return elements[place].value
    }
    set {
      if let newValue {
        updateValue(newValue, for: entity)
      } else {
        removeValue(for: entity)
      }
    }
  }

  /// The value of an entity, or a default, to read or to change in place.
  ///
  /// ```swift
  /// hits[target, default: 0] += 1
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - value: What it has, or gets if it is changed, unless it has a value.
  /// - Complexity: O(1), amortized if it is changed.
  @inlinable
  public subscript(entity: Entity, default value: @autoclosure () -> Value) -> Value {
    get {
      guard let place = place(of: entity) else { return value() }
      return elements[place].value
    }
    _modify {
      let place = place(of: entity) ?? append(value(), for: entity)
      yield &elements[place].value
    }
  }

  /// Whether an entity has a value.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(_ entity: Entity) -> Bool { place(of: entity) != nil }

  @inlinable
  @inline(__always)
  func place(of entity: Entity) -> Int? {
    let slot = Int(entity.handle.index)
    if slot < places.count {
      let place = Int(places[slot])
      if place < elements.count, elements[place].entity == entity { return place }
    }
    return others.isEmpty ? nil : others[entity]
  }

  // MARK: Changing

  /// Gives an entity a value.
  ///
  /// - Returns: The one that it had.
  /// - Complexity: O(1) amortized.
  @inlinable
  @discardableResult
  public mutating func updateValue(_ value: Value, for entity: Entity) -> Value? {
    guard let place = place(of: entity) else {
      append(value, for: entity)
      return nil
    }
    let old = elements[place].value
    elements[place].value = value
    return old
  }

  /// Takes the value of an entity away.
  ///
  /// - Returns: The value; nil if it had none.
  /// - Complexity: O(1). The last entity of the order takes the place of this one.
  @inlinable
  @discardableResult
  public mutating func removeValue(for entity: Entity) -> Value? {
    guard let place = place(of: entity) else { return nil }
    forget(entity, at: place)
    let last = elements.count - 1
    if place < last {
      let moved = elements[last].entity
      forget(moved, at: last)
      elements.swapAt(place, last)
      note(moved, at: place)
    }
    return elements.removeLast().value
  }

  /// Takes all values away.
  ///
  /// - Parameter keepingCapacity: Whether to keep the memory, for as many values to come.
  /// - Complexity: O(*n*), where *n* is the number of values that there ever were at the same time.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    guard keepingCapacity else {
      self = EntityMap()
      return
    }
    for element in elements where Int(element.entity.handle.index) < places.count {
      places[Int(element.entity.handle.index)] = EntityMap.nowhere
    }
    elements.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
  }

  /// Makes room for values to come.
  ///
  /// - Parameter count: The number of all values that there will be.
  /// - Complexity: O(*n*), where *n* is the number of values.
  public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

  @inlinable
  @discardableResult
  mutating func append(_ value: Value, for entity: Entity) -> Int {
    let place = elements.count
    elements.append((entity, value))
    note(entity, at: place)
    return place
  }

  /// Notes where an element is whose place is not known.
  @inlinable
  mutating func note(_ entity: Entity, at place: Int) {
    let slot = Int(entity.handle.index)
    guard slot < places.count else { return insertSparse(entity, at: place) }
    let present = Int(places[slot])
    if present < elements.count, present != place {
      // An entity that came later is more likely to be alive, and to be asked for.
      others[elements[present].entity] = present
    }
    places[slot] = UInt32(truncatingIfNeeded: place)
  }

  @usableFromInline
  mutating func insertSparse(_ entity: Entity, at place: Int) {
    let slot = Int(entity.handle.index)
    guard slot < 256 || slot < 8 * elements.count else {
      others[entity] = place
      return
    }
    let count = Swift.max(64, slot + 1, places.count * 2)
    places.append(contentsOf: repeatElement(EntityMap.nowhere, count: count - places.count))
    for (other, place) in others where Int(other.handle.index) < places.count {
      guard places[Int(other.handle.index)] == EntityMap.nowhere else { continue }
      places[Int(other.handle.index)] = UInt32(truncatingIfNeeded: place)
      others[other] = nil
    }
    note(entity, at: place)
  }

  /// Forgets where an element is.
  @inlinable
  mutating func forget(_ entity: Entity, at place: Int) {
    let slot = Int(entity.handle.index)
    if slot < places.count, Int(places[slot]) == place {
      places[slot] = EntityMap.nowhere
    } else {
      others[entity] = nil
    }
  }
}

extension EntityMap: Sendable where Value: Sendable {}

extension EntityMap: RandomAccessCollection {
  /// 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of entities.
  @inlinable public var endIndex: Int { elements.count }

  /// The entity at a position, with its value.
  @inlinable
  public subscript(position: Int) -> Element { elements[position] }
}

extension EntityMap: CustomStringConvertible {
  /// The entities with their values.
  public var description: String {
    isEmpty ? "[:]" : "[" + map { "\($0.entity): \($0.value)" }.joined(separator: ", ") + "]"
  }
}
