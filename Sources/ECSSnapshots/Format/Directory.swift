/// The table of contents of a file, at its end.
struct Directory: Sendable {
  /// Entities that have the same components.
  struct Group: Hashable, Sendable {
    /// The numbers of the components, ascending.
    var components: [Int]
    var rows: Int

    /// The first of its blocks, which has the positions of the entities; those of the components
    /// follow.
    var firstBlock = 0
  }

  struct Relation: Hashable, Sendable {
    /// The values of links: the number of their component, and of the links that have them: of
    /// those that are to be moved, which come last, there is each a second time.
    struct Values: Hashable, Sendable {
      var component: Int
      var rows: Int
    }

    var name: String
    var count: Int
    var values: Values?

    /// The first of its blocks, which has the links; those of the values follow.
    var firstBlock = 0

    init(name: String, count: Int, values: Values? = nil) {
      (self.name, self.count, self.values) = (name, count, values)
    }
  }

  struct Block: Hashable, Sendable {
    var range: Range<Int>
    var checksum: UInt64
  }

  var name: String
  var components: [FileComponent] = []
  var entityCount = 0
  var groups: [Group] = []
  var relations: [Relation] = []
  var blocks: [Block] = []

  /// Blocks begin at multiples of it.
  static let alignment = 64

  static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }

  /// The blocks of the groups and those of the relations, which follow.
  private var blockCount: Int {
    groups.reduce(0) { $0 + blockCount(of: $1) } + relations.reduce(0) { $0 + blockCount(of: $1) }
  }

  /// Whether links have values, for which files of earlier programs have no room.
  var hasLinkValues: Bool { relations.contains { $0.values != nil } }

  func blockCount(of relation: Relation) -> Int {
    1 + (relation.values.map { components[$0.component].blockCount } ?? 0)
  }

  func blockCount(of group: Group) -> Int {
    group.components.reduce(1) { $0 + components[$1].blockCount }
  }

  private static func write(_ text: String, to block: ByteBlock) {
    block.append(UInt32(text.utf8.count))
    block.append(text)
  }

  /// Writes what is said of components.
  static func write(_ components: [FileComponent], to block: ByteBlock) {
    block.append(UInt32(components.count))
    for component in components {
      write(component.name, to: block)
      block.append(UInt32(component.version))
      block.append(component.encoding.rawValue)
      block.append(UInt32(component.stride))
      block.append(UInt32(component.fields.count))
      for field in component.fields {
        write(field.name, to: block)
        block.append(field.type.code)
        block.append(UInt32(field.offset))
      }
    }
  }

  func write(to block: ByteBlock) {
    Directory.write(name, to: block)
    Directory.write(components, to: block)
    block.append(UInt32(entityCount))
    block.append(UInt32(groups.count))
    for group in groups {
      block.append(UInt32(group.rows))
      block.append(UInt32(group.components.count))
      for component in group.components { block.append(UInt32(component)) }
    }
    block.append(UInt32(relations.count))
    for relation in relations {
      Directory.write(relation.name, to: block)
      block.append(UInt32(relation.count))
      guard hasLinkValues else { continue }
      block.append(UInt32(relation.values.map { $0.component + 1 } ?? 0))
      block.append(UInt32(relation.values?.rows ?? 0))
    }
    block.append(UInt32(blocks.count))
    for entry in blocks {
      block.append(UInt64(entry.range.lowerBound))
      block.append(UInt64(entry.range.count))
      block.append(entry.checksum)
    }
  }

  /// Reads a directory that ends the data, and begins at an offset.
  @_lifetime(reader: copy reader)
  init(_ reader: inout ByteReader, hasLinkValues: Bool) throws(SnapshotError) {
    name = try reader.readText()
    components = try Directory.readComponents(&reader)
    entityCount = Int(try reader.read(UInt32.self))
    for _ in 0..<(try reader.readCount(ofAtLeast: 8)) { groups.append(try readGroup(&reader)) }
    let rows = groups.reduce(0) { $0 + $1.rows }
    if rows != entityCount {
      throw reader.malformed("\(rows) entities are in groups, but there are \(entityCount)")
    }
    var relationNames: Set<String> = []
    for _ in 0..<(try reader.readCount(ofAtLeast: 8)) {
      let name = try reader.readText()
      if !relationNames.insert(name).inserted {
        throw reader.malformed("Two relations are called '\(name)'")
      }
      var relation = Relation(name: name, count: Int(try reader.read(UInt32.self)))
      if hasLinkValues { relation.values = try readLinkValues(of: relation, &reader) }
      relations.append(relation)
    }
    let count = try reader.readCount(ofAtLeast: 24)
    if count != blockCount {
      throw reader.malformed("There are \(count) blocks, but the contents take \(blockCount)")
    }
    var end = Directory.alignment
    for _ in 0..<count {
      let entry = try Directory.readBlock(&reader, from: end)
      blocks.append(entry)
      end = entry.range.upperBound
    }
    if Directory.aligned(end) != reader.start {
      throw reader.malformed("The blocks end at \(end), but the directory is at \(reader.start)")
    }
    try reader.finish()
    try assignBlocks(reader)
  }

  init(name: String) { self.name = name }

  @_lifetime(reader: copy reader)
  private func readLinkValues(
    of relation: Relation, _ reader: inout ByteReader
  ) throws(SnapshotError) -> Relation.Values? {
    let component = Int(try reader.read(UInt32.self)) - 1
    let rows = Int(try reader.read(UInt32.self))
    if component < 0, rows == 0 { return nil }
    guard component >= 0, component < components.count, rows <= relation.count,
      components[component].encoding != .bytes
    else {
      throw reader.malformed(
        "\(rows) of \(relation.count) links of '\(relation.name)' have the component \(component)")
    }
    return Relation.Values(component: component, rows: rows)
  }

  @_lifetime(reader: copy reader)
  static func readComponents(
    _ reader: inout ByteReader
  ) throws(SnapshotError) -> [FileComponent] {
    var components: [FileComponent] = []
    for _ in 0..<(try reader.readCount(ofAtLeast: 17)) {
      components.append(try readComponent(&reader))
    }
    var names: Set<String> = []
    for component in components where !names.insert(component.name).inserted {
      throw reader.malformed("Two components are called '\(component.name)'")
    }
    return components
  }

  @_lifetime(reader: copy reader)
  private static func readComponent(
    _ reader: inout ByteReader
  ) throws(SnapshotError) -> FileComponent {
    let name = try reader.readText()
    if name.isEmpty { throw reader.malformed("A component has no name") }
    let version = Int(try reader.read(UInt32.self))
    guard let encoding = FileComponent.Encoding(rawValue: try reader.read(UInt8.self)) else {
      throw reader.malformed("'\(name)' has an unknown encoding")
    }
    let stride = Int(try reader.read(UInt32.self))
    var (fields, names): ([FileComponent.Field], Set<String>) = ([], [])
    for _ in 0..<(try reader.readCount(ofAtLeast: 9)) {
      let fieldName = try reader.readText()
      guard let type = FieldType(code: try reader.read(UInt8.self)) else {
        throw reader.malformed("'\(name).\(fieldName)' has an unknown type")
      }
      let offset = Int(try reader.read(UInt32.self))
      if !names.insert(fieldName).inserted {
        throw reader.malformed("Two fields of '\(name)' are called '\(fieldName)'")
      }
      if encoding != .bytes, offset != 0 {
        throw reader.malformed("'\(name).\(fieldName)' is at \(offset) of a column of its own")
      }
      fields.append(FileComponent.Field(name: fieldName, type: type, offset: offset))
    }
    if encoding == .bytes ? !FileComponent.fill(fields, stride) : stride != 0 {
      throw reader.malformed("The fields of '\(name)' are not the \(stride) bytes of a value")
    }
    if encoding == .whole, fields != [FileComponent.Field(name: "", type: FieldType(.json))] {
      throw reader.malformed("'\(name)' is no whole")
    }
    return FileComponent(
      name: name, version: version, encoding: encoding, stride: stride, fields: fields)
  }

  @_lifetime(reader: copy reader)
  private func readGroup(_ reader: inout ByteReader) throws(SnapshotError) -> Group {
    let rows = Int(try reader.read(UInt32.self))
    if rows == 0 { throw reader.malformed("A group has no entities") }
    var numbers: [Int] = []
    for _ in 0..<(try reader.readCount(ofAtLeast: 4)) {
      let number = Int(try reader.read(UInt32.self))
      if number >= components.count || number <= numbers.last ?? -1 {
        throw reader.malformed("A group has the component \(number) of \(components.count)")
      }
      numbers.append(number)
    }
    return Group(components: numbers, rows: rows)
  }

  @_lifetime(reader: copy reader)
  private static func readBlock(
    _ reader: inout ByteReader, from end: Int
  ) throws(SnapshotError) -> Block {
    let (offset, length) = (try reader.read(UInt64.self), try reader.read(UInt64.self))
    let checksum = try reader.read(UInt64.self)
    if offset != UInt64(aligned(end)) || length > UInt64(reader.start)
      || offset + length > UInt64(reader.start)
    {
      throw reader.malformed(
        "A block of \(length) bytes is at \(offset), behind one that ends at \(end)")
    }
    return Block(range: Int(offset)..<Int(offset + length), checksum: checksum)
  }

  /// Gives the groups their blocks, whose sizes have to fit.
  private mutating func assignBlocks(_ reader: borrowing ByteReader) throws(SnapshotError) {
    var next = 0
    func check(_ size: Int, _ name: String) throws(SnapshotError) {
      let found = blocks[next].range
      if found.count != size {
        throw SnapshotError(
          .malformed("A block has \(found.count) bytes instead of \(size)"), name: name,
          offset: found.lowerBound)
      }
    }
    for index in groups.indices {
      let group = groups[index]
      groups[index].firstBlock = next
      try check(group.rows * 4, "order")
      next += 1
      for component in group.components {
        let component = components[component]
        if component.encoding == .bytes {
          try check(group.rows * component.stride, component.name)
        }
        next += component.blockCount
      }
    }
    for index in relations.indices {
      relations[index].firstBlock = next
      try check(relations[index].count * 8, relations[index].name)
      next += blockCount(of: relations[index])
    }
  }
}
