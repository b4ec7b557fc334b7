import JSONValues

/// Makes trees of records of what stands in bytes or values, in memory that is reused for each
/// record.
///
/// What is not in order, or is rare, it leaves to the plan, which reports what is wrong.
// PERFORMANCE: Without values for containers, which take longer than all the rest.
struct RecordTreeReader {
  // INVARIANT: All nil, or none at all, between records.
  private var values: [JSONValue?] = []

  /// What is to be known of other keys of the objects that are open.
  private var others: [UInt64] = []
  private var nodes: [RecordTree.Node] = []

  /// How deep records are nested in each other; deeper ones are left to the plan.
  private static let maximumDepth = 16

  /// What a record in bytes says; nil if it has to be parsed to tell.
  mutating func read(_ bytes: [UInt8], in range: Range<Int>, by layout: RecordLayout) -> RecordTree?
  {
    let kind = layout.kinds[0]
    if let reader = kind.reader {
      if values.isEmpty { addLeaves(of: kind) }
      return finishedAlone(reader.read(bytes, in: range, into: &values, others: &others), kind)
    }
    guard let root = kind.root else { return nil }
    var scanner = JSONScanner(bytes, in: range)
    scanner.depth = 0
    guard kind.relations.isEmpty else {
      return finished(read(&scanner, layout, 0, below: -1, 0) && scanner.takeEnd())
    }
    if values.isEmpty { addLeaves(of: kind) }
    let isRead =
      (kind.isLeaf || scanner.peek() != UInt8(ascii: "n"))
      && read(&scanner, root, layout, kind, 0, 0, 0) && scanner.takeEnd()
    return finishedAlone(isRead, kind)
  }

  /// What data says; nil if that can't be found out this way.
  mutating func read(_ data: JSONValue, by layout: RecordLayout) -> RecordTree? {
    let kind = layout.kinds[0]
    guard kind.relations.isEmpty else { return finished(read(data, layout, 0, below: -1, 0)) }
    values.removeAll(keepingCapacity: true)
    return finishedAlone((kind.isLeaf || !data.isNull) && readLeaves(of: data, kind, 0), kind)
  }

  /// A tree of one record, whose values are all that there are.
  private mutating func finishedAlone(_ isRead: Bool, _ kind: RecordLayout.Kind) -> RecordTree? {
    guard isRead, let patches = decode(kind, from: 0) else { return finished(false) }
    return .one(patches)
  }

  private mutating func finished(_ isRead: Bool) -> RecordTree? {
    guard isRead else {
      values.removeAll(keepingCapacity: true)
      others.removeAll(keepingCapacity: true)
      nodes.removeAll(keepingCapacity: true)
      return nil
    }
    let tree = nodes
    nodes = []
    // The next one is most likely as large.
    nodes.reserveCapacity(tree.count + 2)
    return .many(tree)
  }

  // MARK: Records

  private mutating func begin(_ kind: RecordLayout.Kind, _ number: Int, below relation: Int) -> Int
  {
    nodes.append(
      RecordTree.Node(kind: number, relation: relation, isReference: false, patches: .none))
    return nodes.count - 1
  }

  private mutating func addLeaves(of kind: RecordLayout.Kind) {
    for _ in kind.paths.indices { values.append(nil) }
  }

  /// Decodes the values of a record from a place on, and takes them away.
  private mutating func end(_ node: Int, _ kind: RecordLayout.Kind, from base: Int) -> Bool {
    guard let patches = decode(kind, from: base) else { return false }
    values.removeLast(values.count - base)
    nodes[node].patches = patches
    nodes[node].size = nodes.count - node
    return true
  }

  private mutating func decode(_ kind: RecordLayout.Kind, from base: Int) -> RecordPatches? {
    var next = base
    return RecordPatches(count: kind.mappings.count) { number throws(TransformFailure) in
      defer { next += kind.counts[number] }
      return try kind.mappings[number].decode(&values, from: next)
    }
  }

  /// Makes a record of the key of an entity.
  private mutating func add(key: JSONValue, _ layout: RecordLayout, _ relation: Int, _ index: Int)
    -> Bool
  {
    let kind = layout.kinds[index]
    let (base, position) = (values.count, kind.identityPosition)
    for field in 0..<kind.counts[position.mapping] {
      values.append(field == position.field ? key : nil)
    }
    do throws(TransformFailure) {
      let patch = try kind.mappings[position.mapping].decode(&values, from: base)
      values.removeLast(values.count - base)
      nodes.append(
        RecordTree.Node(
          kind: index, relation: relation, isReference: true,
          patches: RecordPatches(patch, at: position.mapping, of: kind.mappings.count)))
      return true
    } catch {
      return false
    }
  }

  // MARK: Bytes

  private mutating func read(
    _ scanner: inout JSONScanner, _ layout: RecordLayout, _ index: Int, below relation: Int,
    _ depth: Int
  ) -> Bool {
    let kind = layout.kinds[index]
    guard let root = kind.root, depth < RecordTreeReader.maximumDepth else { return false }
    // Null would be what all that is in it is.
    if !kind.isLeaf, scanner.peek() == UInt8(ascii: "n") { return false }
    let base = values.count
    let node = begin(kind, index, below: relation)
    addLeaves(of: kind)
    guard read(&scanner, root, layout, kind, node, base, depth), end(node, kind, from: base)
    else {
      return false
    }
    sortRelations(of: node)
    return true
  }

  private mutating func read(
    _ scanner: inout JSONScanner, _ content: RecordLayout.Content, _ layout: RecordLayout,
    _ kind: RecordLayout.Kind, _ node: Int, _ base: Int, _ depth: Int
  ) -> Bool {
    switch content {
    case .leaf(let number):
      guard let value = scanner.takeValue() else { return false }
      values[base + number] = value
      return true
    case .relation(let number):
      nodes[node].mention(number)
      return read(&scanner, kind.relations[number], number, layout, depth)
    case .object(let object):
      if scanner.peek() == UInt8(ascii: "n") { return takeNull(&scanner, for: object.leaves, base) }
      guard scanner.open(UInt8(ascii: "{")) else { return false }
      if scanner.close(UInt8(ascii: "}")) { return true }
      let firstOther = others.count
      var (seen, expected): (UInt64, Int) = (0, 0)
      while true {
        let key = scanner.takeKey(of: object.keys, near: expected, &seen, &others, from: firstOther)
        if let key, key >= 0 {
          expected = key + 1
          guard read(&scanner, object.contents[key], layout, kind, node, base, depth) else {
            return false
          }
        } else {
          guard key != nil, scanner.skipValue() else { return false }
        }
        if scanner.take(UInt8(ascii: ",")) { continue }
        others.removeLast(others.count - firstOther)
        return scanner.close(UInt8(ascii: "}"))
      }
    case .list(let list):
      if scanner.peek() == UInt8(ascii: "n") { return takeNull(&scanner, for: list.leaves, base) }
      guard scanner.open(UInt8(ascii: "[")) else { return false }
      if scanner.close(UInt8(ascii: "]")) { return true }
      var position = 0
      while true {
        if position < list.contents.count, let content = list.contents[position] {
          guard read(&scanner, content, layout, kind, node, base, depth) else { return false }
        } else {
          guard scanner.skipValue() else { return false }
        }
        position += 1
        if scanner.take(UInt8(ascii: ",")) { continue }
        return scanner.close(UInt8(ascii: "]"))
      }
    }
  }

  /// Takes null, which all values in a container are then.
  private mutating func takeNull(
    _ scanner: inout JSONScanner, for leaves: [Int]?, _ base: Int
  ) -> Bool {
    guard let leaves, case .null? = scanner.takeValue() else { return false }
    for leaf in leaves { values[base + leaf] = .null }
    return true
  }

  private mutating func read(
    _ scanner: inout JSONScanner, _ relation: RecordLayout.Relation, _ number: Int,
    _ layout: RecordLayout, _ depth: Int
  ) -> Bool {
    guard relation.isMany else {
      if scanner.peek() == UInt8(ascii: "n") { return scanner.takeValue() != nil }
      return readOne(&scanner, relation, number, layout, depth)
    }
    guard scanner.open(UInt8(ascii: "[")) else { return false }
    if scanner.close(UInt8(ascii: "]")) { return true }
    while true {
      guard readOne(&scanner, relation, number, layout, depth) else { return false }
      if scanner.take(UInt8(ascii: ",")) { continue }
      return scanner.close(UInt8(ascii: "]"))
    }
  }

  private mutating func readOne(
    _ scanner: inout JSONScanner, _ relation: RecordLayout.Relation, _ number: Int,
    _ layout: RecordLayout, _ depth: Int
  ) -> Bool {
    guard relation.isKey else {
      return read(&scanner, layout, relation.kind, below: number, depth + 1)
    }
    return scanner.takeValue().map { add(key: $0, layout, number, relation.kind) } ?? false
  }

  /// Puts what is nested in a record into the order of its relations.
  private mutating func sortRelations(of node: Int) {
    var blocks: [Range<Int>] = []
    var (next, last, isSorted) = (node + 1, -1, true)
    while next < nodes.count {
      isSorted = isSorted && nodes[next].relation >= last
      last = nodes[next].relation
      next += nodes[next].size
    }
    if isSorted { return }
    next = node + 1
    while next < nodes.count {
      blocks.append(next..<next + nodes[next].size)
      next += nodes[next].size
    }
    blocks.sort {
      (nodes[$0.lowerBound].relation, $0.lowerBound)
        < (nodes[$1.lowerBound].relation, $1.lowerBound)
    }
    nodes.replaceSubrange((node + 1)..., with: blocks.flatMap { nodes[$0] })
  }

  // MARK: Values

  private mutating func read(
    _ data: JSONValue, _ layout: RecordLayout, _ index: Int, below relation: Int, _ depth: Int
  ) -> Bool {
    let kind = layout.kinds[index]
    guard depth < RecordTreeReader.maximumDepth, kind.isLeaf || !data.isNull else { return false }
    let base = values.count
    let node = begin(kind, index, below: relation)
    guard readLeaves(of: data, kind, base) else { return false }
    do throws(TransformFailure) {
      for (index, relation) in kind.relations.enumerated() {
        guard let value = try data.lookUp(relation.path) else { continue }
        nodes[node].mention(index)
        guard relation.isMany else {
          guard value.isNull || readOne(value, relation, index, layout, depth) else {
            return false
          }
          continue
        }
        guard case .array(let elements) = value else { return false }
        for element in elements where !readOne(element, relation, index, layout, depth) {
          return false
        }
      }
    } catch {
      return false
    }
    return end(node, kind, from: base)
  }

  /// Adds the values of a record, those of each component one after the other.
  private mutating func readLeaves(of data: JSONValue, _ kind: RecordLayout.Kind, _ base: Int)
    -> Bool
  {
    if let keys = kind.keys, case .object(let object) = data {
      object.collect(keys, into: &values)
      return true
    }
    do throws(TransformFailure) {
      for path in kind.paths { values.append(try data.lookUp(path)) }
      return true
    } catch {
      return false
    }
  }

  private mutating func readOne(
    _ value: JSONValue, _ relation: RecordLayout.Relation, _ number: Int, _ layout: RecordLayout,
    _ depth: Int
  ) -> Bool {
    relation.isKey
      ? add(key: value, layout, number, relation.kind)
      : read(value, layout, relation.kind, below: number, depth + 1)
  }
}
