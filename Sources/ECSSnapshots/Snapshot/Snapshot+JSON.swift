import ECS
import ECSRecipes
public import Foundation

extension Snapshot {
  /// The snapshot as text: a line for each entity, in the order of creation.
  ///
  /// For files that people read and compare: what is the same gives the same lines.
  ///
  /// ```
  /// {"snapshot":"shop","format":1}
  /// {"@":"#0","position":{"x":1,"y":2},"childOf":["#1"]}
  /// {"@":"#1","title":{"text":"Page"}}
  /// ```
  ///
  /// Components and relations stand in the order of the schema, with their fields by name. Entities are
  /// called by the key that ``Stored/identified(by:)`` names, or by `#` and their place in the order of
  /// creation, which moves when an older one is destroyed. Values have the forms that `Codable` gives
  /// them; numbers for which JSON has none are texts. The orders of rows are not part of it, and of links
  /// only those of targets.
  ///
  /// - Parameter schema: Names everything that the snapshot has.
  /// - Returns: Lines of JSON in UTF-8, each with its end.
  /// - Throws: ``SnapshotError`` as restoring does.
  /// - Complexity: O(*n* · *c* + *k*), where *n* is the number of entities, *c* that of components and
  ///   *k* that of links.
  public func json(_ schema: Schema) throws(SnapshotError) -> Data {
    let context = Context()
    try restore(into: context, schema)
    var capture = Capture(context, schema, needsEntities: true)
    capture.rank()
    let encoder = try JSONLineEncoder(capture, schema)
    try encoder.encode()
    return encoder.data
  }

  /// Reads what ``json(_:)`` wrote, or somebody changed since.
  ///
  /// The order of lines is that of creation. Names of entities may be any texts: they have to be
  /// different, and links and references have to be to one that is there.
  ///
  /// - Parameters:
  ///   - json: Lines of JSON in UTF-8.
  ///   - schema: Names all components and relations that are there.
  /// - Throws: ``SnapshotError``, with the number of the line as its offset.
  /// - Complexity: As of ``json(_:)``.
  public init(json: Data, _ schema: Schema) throws(SnapshotError) {
    let loading = try JSONLineDecoder(json, schema).loading()
    let context = Context()
    loading.put(into: context)
    self = try context.snapshot(schema)
  }
}

/// Writes the lines of a snapshot.
private struct JSONLineEncoder {
  private let schema: Schema
  private let tables: [Capture.Table]
  private let names: EntityNames

  /// The table and the row of each position.
  private var places: [(table: Int, row: Int)]

  /// The names of the targets of each position, for each relation.
  private var targets: [[Int: [String]]] = []
  private let block = ByteBlock()

  var data: Data {
    var data = Data(capacity: block.count)
    data.append(block.bytes)
    return data
  }

  init(_ capture: Capture, _ schema: Schema) throws(SnapshotError) {
    self.schema = schema
    var tables = capture.tables
    places = [(Int, Int)](repeating: (0, 0), count: capture.count)
    var (all, positions): ([Entity: String], [Entity: Int]) = ([:], [:])
    all.reserveCapacity(capture.count)
    for number in tables.indices {
      for column in tables[number].columns.indices {
        tables[number].columns[column] = try tables[number].columns[column].readable()
      }
      let identity = schema.identity.flatMap { tables[number].components.firstIndex(of: $0) }
      let order = tables[number].order
      for (row, entity) in (tables[number].entities ?? []).enumerated() {
        let position = Int(order.bytes.load(UInt32.self, at: row * 4))
        places[position] = (number, row)
        if !capture.links.isEmpty { positions[entity] = position }
        let key = identity.flatMap { tables[number].columns[$0].key(row) }
        all[entity] =
          key.map(EntityNames.name(ofKey:)) ?? EntityNames.name(ofPosition: position)
      }
    }
    self.tables = tables
    names = EntityNames(all)
    for links in capture.links {
      var targets: [Int: [String]] = [:]
      for (source, target) in links {
        guard let source = positions[source], let target = all[target] else { continue }
        targets[source, default: []].append(target)
      }
      self.targets.append(targets)
    }
  }

  func encode() throws(SnapshotError) {
    block.append("{\"snapshot\":")
    block.appendQuoted(schema.name)
    block.append(",\"format\":\(Header.formatVersion)")
    let changed = schema.components.filter { $0.version > 1 }
    if !changed.isEmpty {
      let versions = JSONObject(
        uniqueKeysWithValues: changed.map { ($0.name, JSONValue.number(JSONNumber($0.version))) })
      block.append(",\"versions\":" + JSONValue.object(versions).json())
    }
    block.append("}\n")
    for position in places.indices { try encode(position) }
  }

  private func encode(_ position: Int) throws(SnapshotError) {
    let (table, row) = places[position]
    block.append("{\"@\":")
    block.appendQuoted(tables[table].entities.flatMap { names[$0[row]] } ?? "")
    for (component, column) in zip(tables[table].components, tables[table].columns) {
      block.append(",")
      block.appendQuoted(schema.components[component].name)
      block.append(":")
      try column.appendText(row, to: block, names)
    }
    for (codec, targets) in zip(schema.links, targets) {
      guard let targets = targets[position] else { continue }
      block.append(",")
      block.appendQuoted(codec.name)
      block.append(":[")
      for (number, target) in targets.enumerated() {
        if number > 0 { block.append(",") }
        block.appendQuoted(target)
      }
      block.append("]")
    }
    block.append("}\n")
  }
}

/// Reads the lines of a snapshot.
private struct JSONLineDecoder {
  private let schema: Schema
  private var positions: [String: Int] = [:]
  private var versions: [Int] = []
  private var lines: [(number: Int, object: JSONObject)] = []

  init(_ json: Data, _ schema: Schema) throws(SnapshotError) {
    self.schema = schema
    var isFirst = true
    for (number, line) in json.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() where !line.isEmpty {
      let value: JSONValue
      do throws(JSONSyntaxError) {
        value = try JSONValue(data: Data(line))
      } catch {
        throw SnapshotError(.malformed("\(error)"), name: "line", offset: number + 1)
      }
      guard let object = value.object else {
        throw SnapshotError(.malformed("The line is no object"), name: "line", offset: number + 1)
      }
      if isFirst {
        try readHead(object)
        isFirst = false
        continue
      }
      guard let name = object["@"]?.string else {
        throw SnapshotError(.malformed("The entity has no name"), name: "@", offset: number + 1)
      }
      if positions.updateValue(lines.count, forKey: name) != nil {
        throw SnapshotError(.duplicateKey(name), name: "@", offset: number + 1)
      }
      lines.append((number + 1, object))
    }
    if isFirst { throw SnapshotError(.notASnapshot) }
  }

  private mutating func readHead(_ head: JSONObject) throws(SnapshotError) {
    guard head["snapshot"]?.string != nil, let format = head["format"]?.number?.int else {
      throw SnapshotError(.notASnapshot)
    }
    if format != Header.formatVersion { throw SnapshotError(.laterFormat(format), name: "header") }
    let found = head["versions"]?.object ?? [:]
    for codec in schema.components {
      let name = ([codec.name] + codec.formerNames).first { found[$0] != nil }
      let version = name.flatMap { found[$0]?.number?.int } ?? 1
      if version > codec.version || version < 1 {
        throw SnapshotError(
          .laterVersion(found: version, supported: codec.version), name: codec.name)
      }
      versions.append(version)
    }
  }

  func loading() throws(SnapshotError) -> Loading {
    var groups: [(components: [Int], lines: [Int])] = []
    var numbers: [[Int]: Int] = [:]
    var links = schema.links.map { _ in [(source: Int, target: Int)]() }
    var places: [[(component: Int, value: JSONValue)]] = []
    for (position, line) in lines.enumerated() {
      var found: [(component: Int, value: JSONValue)] = []
      for entry in line.object where entry.key != "@" {
        if let component = schema.componentNames[entry.key] {
          found.append((component, entry.value))
        } else if let relation = schema.linkNames[entry.key] {
          for target in try targets(entry, line.number) {
            links[relation].append((position, target))
          }
        } else {
          throw SnapshotError(.unknown, name: entry.key, offset: line.number)
        }
      }
      found.sort { $0.component < $1.component }
      let components = found.map(\.component)
      if Set(components).count != components.count {
        throw SnapshotError(
          .malformed("A component is there by its present and its former name"), name: "line",
          offset: line.number)
      }
      if let number = numbers[components] {
        groups[number].lines.append(position)
      } else {
        numbers[components] = groups.count
        groups.append((components, [position]))
      }
      places.append(found)
    }
    var loaded: [Loading.Group] = []
    for group in groups {
      var result = Loading.Group(positions: .list(group.lines), rows: group.lines.count)
      for (place, component) in group.components.enumerated() {
        let codec = schema.components[component]
        let records = Records(
          version: versions[component], entityCount: lines.count,
          rows: group.lines.map { (lines[$0].number, places[$0][place].value) },
          positions: positions)
        result.columns.append((component, try codec.load(records)))
      }
      loaded.append(result)
    }
    return try Loading(schema, loaded, zip(schema.links, links).map { ($0, $1) }, lines.count)
  }

  private func targets(
    _ entry: JSONObject.Entry, _ line: Int
  ) throws(SnapshotError) -> [Int] {
    var targets: [Int] = []
    for target in entry.value.array ?? [entry.value] {
      guard let position = target.string.flatMap({ positions[$0] }) else {
        throw SnapshotError(
          .badLinks("\(target) is no entity of the snapshot"), name: entry.key, offset: line)
      }
      targets.append(position)
    }
    return targets
  }
}
