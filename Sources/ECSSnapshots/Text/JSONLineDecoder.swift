import ECSRecipes
import Foundation

/// Reads the lines of a snapshot.
///
/// Values become the blocks of the snapshot as they are read. What is in order is read directly
/// from bytes; lines with anything else are parsed as a whole.
struct JSONLineDecoder {
  private struct Group {
    var components: [Int]
    var rows: [TextRows]
    let order = ByteBlock()
  }

  /// The kind of a key of a line.
  private enum Key {
    case name
    case component(Int)
    case relation(Int)
  }

  private let schema: Schema
  private let bytes: [UInt8]
  private let keys: [Key]
  private let reader: JSONRecordReader?

  private var scanner: JSONScanner

  /// What relations are called, and which one that is; nil if these keys can't be compared as
  /// bytes.
  private let relationKeys: JSONKeys?
  private var relationNumbers: [Int] = []

  /// The group of the line before.
  private var lastGroup: Int?

  /// The group of the line that came last behind one of each group.
  private var followers: [Int] = []

  // Used again and again.
  private var foundLinks: [(relation: Int, target: String)] = []

  /// The version of each component.
  private var versions: [Int] = []

  /// The fields of each component in the text that refer to entities.
  private var references: [[String]] = []
  private var positions: [String: Int] = [:]

  /// The line of each position.
  private var lines: [Int] = []
  private var groups: [Group] = []
  private var groupNumbers: [[Int]: Int] = [:]

  /// The sources, names of targets and lines of the links of each relation.
  private var links: [[(source: Int, target: JSONValue, line: Int)]]

  /// The values of the links of each relation; nil if links have none.
  private var linkValues: [LinkTexts?] = []

  init(_ json: Data, _ schema: Schema) throws(SnapshotError) {
    self.schema = schema
    bytes = [UInt8](json)
    scanner = JSONScanner(bytes, in: 0..<0)
    links = schema.links.map { _ in [] }
    var (keys, names): ([Key], [String]) = ([.name], ["@"])
    var relationNames: [String] = []
    for (index, codec) in schema.components.enumerated() {
      for name in [codec.name] + codec.formerNames {
        keys.append(.component(index))
        names.append(name)
      }
    }
    for (position, codec) in schema.links.enumerated() {
      for name in [codec.name] + codec.formerNames {
        keys.append(.relation(position))
        names.append(name)
        relationNumbers.append(position)
        relationNames.append(name)
      }
    }
    relationKeys = JSONKeys(relationNames)
    self.keys = keys
    reader = JSONRecordReader(names)
    try readLines()
  }

  private mutating func readLines() throws(SnapshotError) {
    var (start, line, isFirst) = (0, 0, true)
    var ranges = [Range<Int>](repeating: 0..<0, count: keys.count)
    while start < bytes.count {
      let end = bytes.endOfLine(from: start)
      let range = start..<end
      (start, line) = (end + 1, line + 1)
      if range.isEmpty || (range.count == 1 && bytes[range.lowerBound] == UInt8(ascii: "\r")) {
        continue
      }
      if isFirst {
        try readHead(try object(range, line))
        positions.reserveCapacity(bytes.count / max(64, range.count))
        isFirst = false
      } else if try readAlike(range, line) {
        continue
      } else if let reader, reader.find(bytes, in: range, into: &ranges), !ranges[0].isEmpty,
        let name = text(ranges[0])
      {
        try read(name, ranges, line)
      } else {
        try read(try object(range, line), line)
      }
    }
    if isFirst { throw SnapshotError(.notASnapshot) }
  }

  private func object(_ range: Range<Int>, _ line: Int) throws(SnapshotError) -> JSONObject {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONParser.parse(Array(bytes[range]))
    } catch {
      throw SnapshotError(.malformed("\(error)"), name: "line", offset: line)
    }
    guard let object = value.object else {
      throw SnapshotError(.malformed("The line is no object"), name: "line", offset: line)
    }
    return object
  }

  private mutating func readHead(_ head: JSONObject) throws(SnapshotError) {
    guard head["snapshot"]?.string != nil, let format = head["format"]?.number?.int else {
      throw SnapshotError(.notASnapshot)
    }
    if !Header.isKnown(format) { throw SnapshotError(.laterFormat(format), name: "header") }
    let (found, listed) = (head["versions"]?.object ?? [:], head["references"]?.object ?? [:])
    func read(_ codec: any ComponentCodec) throws(SnapshotError) -> (Int, [String]) {
      let names = [codec.name] + codec.formerNames
      let fields = names.compactMap { listed[$0]?.array?.compactMap(\.string) }.first
      let version = names.compactMap { found[$0]?.number?.int }.first ?? 1
      if version > codec.version || version < 1 {
        throw SnapshotError(
          .laterVersion(found: version, supported: codec.version), name: codec.name)
      }
      // A line that was written by hand may not say which fields refer to entities.
      return (
        version,
        fields ?? codec.description.fields.filter { $0.type.scalar == .entity }.map(\.name)
      )
    }
    for codec in schema.components {
      let (version, fields) = try read(codec)
      versions.append(version)
      references.append(fields)
    }
    for codec in schema.links {
      guard let values = codec.values else {
        linkValues.append(nil)
        continue
      }
      let (version, fields) = try read(values)
      linkValues.append(LinkTexts(values, version: version, references: fields))
    }
  }

  // MARK: Lines

  private mutating func begin(_ name: String, _ line: Int) throws(SnapshotError) -> Int {
    let position = positions.count
    if let other = positions.updateValue(position, forKey: name) {
      positions[name] = other
      throw SnapshotError(.duplicateKey(name), name: "@", offset: line)
    }
    lines.append(line)
    return position
  }

  private mutating func text(_ range: Range<Int>) -> String? {
    scanner.move(to: range)
    guard let text = scanner.takeText(), scanner.takeEnd() else { return nil }
    return text
  }

  private static let at = Array("@".utf8)

  /// Reads a line that is like the one before, or like that which came last behind such a one;
  /// false, having done nothing, if it is another one.
  // PERFORMANCE: N4.load: of most lines, each byte is looked at once.
  private mutating func readAlike(
    _ range: Range<Int>, _ line: Int
  ) throws(SnapshotError) -> Bool {
    guard let last = lastGroup else { return false }
    let next = followers[last]
    if try read(range, line, as: next) { return true }
    return next == last ? false : try read(range, line, as: last)
  }

  /// Reads a line that has the components of a group, in the order of the schema, and then perhaps
  /// links; false, having done nothing, if it is another one.
  private mutating func read(
    _ range: Range<Int>, _ line: Int, as group: Int
  ) throws(SnapshotError) -> Bool {
    scanner.move(to: range)
    foundLinks.removeAll(keepingCapacity: true)
    guard scanner.take(UInt8(ascii: "{")), scanner.takeMember(JSONLineDecoder.at),
      let name = scanner.takeText()
    else { return false }
    for row in groups[group].rows.indices {
      guard scanner.take(UInt8(ascii: ",")), groups[group].rows[row].read(from: &scanner)
      else { return false }
    }
    guard scanner.take(UInt8(ascii: "}")) || takeLinks(), scanner.takeEnd() else { return false }
    let position = try begin(name, line)
    note(group)
    groups[group].order.append(UInt32(position))
    for row in groups[group].rows.indices { try groups[group].rows[row].appendRead(line) }
    for (relation, target) in foundLinks {
      linkValues[relation]?.noteMissing(line)
      links[relation].append((position, .string(target), line))
    }
    return true
  }

  /// Notes the group of a line.
  private mutating func note(_ group: Int) {
    if let lastGroup { followers[lastGroup] = group }
    lastGroup = group
  }

  /// Takes relations with their targets, up to the end of the line; false if something else comes
  /// next.
  private mutating func takeLinks() -> Bool {
    guard let relationKeys else { return false }
    var (seen, expected, others): (UInt64, Int, [UInt64]) = (0, 0, [])
    while scanner.take(UInt8(ascii: ",")) {
      guard
        let key = scanner.takeKey(of: relationKeys, near: expected, &seen, &others, from: 0),
        key >= 0, takeTargets(of: relationNumbers[key])
      else { return false }
      expected = key + 1
    }
    return scanner.take(UInt8(ascii: "}"))
  }

  private mutating func takeTargets(of relation: Int) -> Bool {
    let isList = scanner.take(UInt8(ascii: "["))
    if isList, scanner.take(UInt8(ascii: "]")) { return true }
    repeat {
      guard let target = scanner.takeText() else { return false }
      foundLinks.append((relation, target))
    } while isList && scanner.take(UInt8(ascii: ","))
    return !isList || scanner.take(UInt8(ascii: "]"))
  }

  /// Reads a line whose values stand in ranges.
  private mutating func read(
    _ name: String, _ ranges: [Range<Int>], _ line: Int
  ) throws(SnapshotError) {
    let position = try begin(name, line)
    var components: [Int] = []
    for (key, range) in zip(keys, ranges) where !range.isEmpty {
      switch key {
      case .name: break
      case .component(let number): components.append(number)
      case .relation(let number):
        let targets: JSONValue
        do throws(JSONSyntaxError) {
          targets = try JSONParser.parse(bytes, in: range)
        } catch {
          throw SnapshotError(.malformed("\(error)"), name: "line", offset: line)
        }
        try append(targets, number, position, line)
      }
    }
    let group = try group(of: components, line)
    note(group)
    groups[group].order.append(UInt32(position))
    var row = 0
    for (key, range) in zip(keys, ranges) where !range.isEmpty {
      guard case .component = key else { continue }
      try groups[group].rows[row].append(bytes, in: range, line)
      row += 1
    }
  }

  /// Reads a line that was parsed.
  private mutating func read(_ object: JSONObject, _ line: Int) throws(SnapshotError) {
    guard let name = object["@"]?.string else {
      throw SnapshotError(.malformed("The entity has no name"), name: "@", offset: line)
    }
    let position = try begin(name, line)
    var found: [(component: Int, value: JSONValue)] = []
    for entry in object where entry.key != "@" {
      if let component = schema.componentNames[entry.key] {
        found.append((component, entry.value))
      } else if let relation = schema.linkNames[entry.key] {
        try append(entry.value, relation, position, line)
      } else {
        throw SnapshotError(.unknown, name: entry.key, offset: line)
      }
    }
    found.sort { $0.component < $1.component }
    let group = try group(of: found.map(\.component), line)
    note(group)
    groups[group].order.append(UInt32(position))
    for (row, entry) in found.enumerated() {
      try groups[group].rows[row].append(entry.value, line)
    }
  }

  /// The number of the group of entities with some components, ascending.
  private mutating func group(of components: [Int], _ line: Int) throws(SnapshotError) -> Int {
    if let number = groupNumbers[components] { return number }
    for (number, next) in zip(components, components.dropFirst()) where number == next {
      throw SnapshotError(
        .malformed("A component is there by its present and its former name"), name: "line",
        offset: line)
    }
    let rows = components.map {
      TextRows(schema.components[$0], version: versions[$0], references: references[$0])
    }
    groups.append(Group(components: components, rows: rows))
    groupNumbers[components] = groups.count - 1
    // The line after one is taken for one of its kind, as long as nothing else is known.
    followers.append(groups.count - 1)
    return groups.count - 1
  }

  private mutating func append(
    _ targets: JSONValue, _ relation: Int, _ source: Int, _ line: Int
  ) throws(SnapshotError) {
    for target in targets.array ?? [targets] {
      guard case .object(let link) = target, linkValues[relation] != nil else {
        linkValues[relation]?.noteMissing(line)
        links[relation].append((source, target, line))
        continue
      }
      guard let name = link["@"], name.string != nil else {
        throw SnapshotError(
          .malformed("The target of the link has no name"), name: "@", offset: line)
      }
      try linkValues[relation]?.append(link, line)
      links[relation].append((source, name, line))
    }
  }

  // MARK: The snapshot

  func snapshot() throws(SnapshotError) -> Snapshot {
    var directory = Directory(name: schema.name)
    directory.components = schema.components.map(\.description)
    directory.entityCount = positions.count
    var blocks: [ByteBlock] = []
    for group in groups {
      directory.groups.append(
        Directory.Group(components: group.components, rows: group.order.count / 4))
      blocks.append(group.order)
      for var rows in group.rows { blocks += try rows.blocks(positions) }
    }
    for (index, (codec, links)) in zip(schema.links, links).enumerated() {
      let block = ByteBlock(capacity: links.count * 8)
      for (source, target, line) in links {
        guard let target = target.string.flatMap({ positions[$0] }) else {
          throw SnapshotError(
            .badLinks("\(target) is no entity of the snapshot"), name: codec.name, offset: line)
        }
        block.append(UInt32(source))
        block.append(UInt32(target))
      }
      var relation = Directory.Relation(name: codec.name, count: links.count)
      blocks.append(block)
      if var values = linkValues[index], values.count > 0 {
        try values.checkAll(codec.name)
        relation.values = Directory.Relation.Values(
          component: directory.components.count, rows: values.count)
        directory.components.append(values.description)
        blocks += try values.blocks(positions)
      }
      directory.relations.append(relation)
    }
    let (made, contents) = Header.assemble(directory, blocks)
    let snapshot = Snapshot(directory: made, contents: contents)
    do throws(SnapshotError) {
      try Loading.check(snapshot, schema, lines: lines)
    } catch {
      switch error.reason {
      case .duplicateKey, .severalHolders, .badLinks: throw error
      // Positions in the snapshot say nothing to a reader of lines.
      default: throw SnapshotError(error.reason, name: error.name)
      }
    }
    return snapshot
  }
}
