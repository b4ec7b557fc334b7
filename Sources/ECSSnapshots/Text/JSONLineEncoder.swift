import ECSRecipes
import Foundation

/// Writes a snapshot that is checked, and of the very schema, as lines of JSON.
///
/// Text is made of the bytes of the snapshot, which say all that is to be known of types: nothing
/// that is generic runs for each value.
struct JSONLineEncoder {
  private struct Group {
    /// What stands before the value of each column, and behind the last one.
    var columns: [(before: [UInt8], values: TextColumn)] = []
    var end: [UInt8] = []
  }

  private struct Relation {
    let name: [UInt8]

    /// Where the targets of each position begin, and where the last ones end.
    var starts: [UInt32]
    var targets: [UInt32]

    /// The values of links, and which one each link has; nil if they have none.
    var values: (texts: Group, rows: [UInt32])?
  }

  private let snapshot: Snapshot
  private let schema: Schema
  private let bytes: [UInt8]
  private var groups: [Group] = []
  private var relations: [Relation] = []
  private let names: EntityTexts

  /// The group and the row of each position.
  private var locations: [(group: UInt32, row: UInt32)]

  init(_ snapshot: Snapshot, _ schema: Schema, _ loading: Loading) {
    (self.snapshot, self.schema) = (snapshot, schema)
    bytes = [UInt8](snapshot.data)
    names = EntityTexts(keys: loading.keys())
    locations = [(UInt32, UInt32)](repeating: (0, 0), count: snapshot.entityCount)
    for (index, group) in loading.groups.enumerated() {
      for row in 0..<group.rows {
        locations[group.positions[row]] = (UInt32(index), UInt32(row))
      }
    }
    groups = snapshot.directory.groups.map { JSONLineEncoder.group($0, snapshot.directory, bytes) }
    for links in loading.links { add(links.codec, links.pairs, values(of: links.codec)) }
  }

  /// The values of the links of a relation, if they have some.
  private func values(of codec: any LinkCodec) -> Group? {
    let directory = snapshot.directory
    guard let relation = directory.relations.first(where: { $0.name == codec.name }),
      let values = relation.values
    else { return nil }
    var group = Group()
    group.end = JSONLineEncoder.add(
      directory.components[values.component], rows: values.rows, relation.firstBlock + 1, directory,
      bytes, to: &group)
    return group
  }

  private static func group(
    _ group: Directory.Group, _ directory: Directory, _ bytes: [UInt8]
  ) -> Group {
    var (result, pending) = (Group(), [UInt8]())
    var next = group.firstBlock + 1
    for number in group.components {
      let component = directory.components[number]
      pending = add(
        component, rows: group.rows, next, directory, bytes, to: &result, after: pending)
      next += component.blockCount
    }
    result.end = pending
    return result
  }

  /// Adds the columns of a component whose blocks begin with a first one; returns what stands
  /// behind them.
  private static func add(
    _ component: FileComponent, rows: Int, _ first: Int, _ directory: Directory, _ bytes: [UInt8],
    to group: inout Group, after before: [UInt8] = []
  ) -> [UInt8] {
    func quoted(_ name: String) -> [UInt8] {
      var output = TextOutput(capacity: name.utf8.count + 8)
      output.appendQuoted(name)
      output.append(UInt8(ascii: ":"))
      return [UInt8](output.data)
    }
    var pending = before + [UInt8(ascii: ",")] + quoted(component.name)
    if component.encoding != .whole { pending.append(UInt8(ascii: "{")) }
    for (index, field) in component.fields.enumerated() {
      if index > 0 { pending.append(UInt8(ascii: ",")) }
      if component.encoding != .whole { pending += quoted(field.name) }
      let isBytes = component.encoding == .bytes
      let column = TextColumn(
        field.type, directory.blocks[isBytes ? first : first + index].range, rows: rows,
        row: isBytes ? (component.stride, field.offset) : nil, bytes.rawBytes)
      group.columns.append((pending, column))
      pending = []
    }
    if component.encoding != .whole { pending.append(UInt8(ascii: "}")) }
    return pending
  }

  private mutating func add(
    _ codec: any LinkCodec, _ pairs: [(source: Int, target: Int)], _ values: Group?
  ) {
    var starts = [UInt32](repeating: 0, count: snapshot.entityCount + 1)
    for (source, _) in pairs { starts[source + 1] += 1 }
    for position in 0..<snapshot.entityCount { starts[position + 1] += starts[position] }
    var (ends, targets) = (starts, [UInt32](repeating: 0, count: pairs.count))
    var rows = [UInt32](repeating: 0, count: values == nil ? 0 : pairs.count)
    for (index, (source, target)) in pairs.enumerated() {
      targets[Int(ends[source])] = UInt32(target)
      if values != nil { rows[Int(ends[source])] = UInt32(index) }
      ends[source] += 1
    }
    var name = TextOutput(capacity: 64)
    name.append(UInt8(ascii: ","))
    name.appendQuoted(codec.name)
    name.append(Array(":[".utf8))
    relations.append(
      Relation(
        name: [UInt8](name.data), starts: starts, targets: targets,
        values: values.map { ($0, rows) }))
  }

  func encode() -> Data {
    var output = TextOutput(capacity: bytes.count * 4)
    appendHead(to: &output)
    let bytes = bytes.rawBytes
    let begin = JSONLineEncoder.begin
    let end = Array("}\n".utf8)
    for position in locations.indices {
      let (group, row) = (Int(locations[position].group), Int(locations[position].row))
      output.append(begin)
      names.append(position, to: &output)
      for column in groups[group].columns.indices {
        output.append(groups[group].columns[column].before)
        groups[group].columns[column].values.append(row, bytes, names, to: &output)
      }
      output.append(groups[group].end)
      for relation in relations.indices { append(relation, position, bytes, to: &output) }
      output.append(end)
    }
    return output.data
  }

  private func appendHead(to output: inout TextOutput) {
    output.append(Array("{\"snapshot\":".utf8))
    output.appendQuoted(schema.name)
    output.append(Array(",\"format\":\(Header.version(of: snapshot.directory))".utf8))
    let codecs = schema.components + schema.links.compactMap(\.values)
    let changed = codecs.filter { $0.version > 1 }
    if !changed.isEmpty {
      let versions = JSONObject(
        uniqueKeysWithValues: changed.map { ($0.name, JSONValue.number(JSONNumber($0.version))) })
      output.append(",\"versions\":" + JSONValue.object(versions).json())
    }
    // Types say what is a name, but not to later programs that have other ones.
    var references: JSONObject = [:]
    for codec in codecs where codec.isReference {
      let fields = codec.description.fields.filter { $0.type.scalar == .entity }
      references[codec.name] = .array(fields.map { .string($0.name) })
    }
    if !references.isEmpty {
      output.append(",\"references\":" + JSONValue.object(references).json())
    }
    output.append(Array("}\n".utf8))
  }

  private func append(
    _ relation: Int, _ position: Int, _ bytes: RawSpan, to output: inout TextOutput
  ) {
    let start = Int(relations[relation].starts[position])
    let end = Int(relations[relation].starts[position + 1])
    if start == end { return }
    output.append(relations[relation].name)
    for index in start..<end {
      if index > start { output.append(UInt8(ascii: ",")) }
      let target = Int(relations[relation].targets[index])
      guard let (texts, rows) = relations[relation].values else {
        names.append(target, to: &output)
        continue
      }
      output.append(JSONLineEncoder.begin)
      names.append(target, to: &output)
      for column in texts.columns {
        output.append(column.before)
        column.values.append(Int(rows[index]), bytes, names, to: &output)
      }
      output.append(texts.end)
      output.append(UInt8(ascii: "}"))
    }
    output.append(UInt8(ascii: "]"))
  }

  private static let begin = Array("{\"@\":".utf8)
}
