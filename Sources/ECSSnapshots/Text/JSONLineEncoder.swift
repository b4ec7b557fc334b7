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
    for links in loading.links { add(links.codec, links.pairs) }
  }

  private static func group(
    _ group: Directory.Group, _ directory: Directory, _ bytes: [UInt8]
  ) -> Group {
    var (result, pending) = (Group(), [UInt8]())
    var next = group.firstBlock + 1
    func quoted(_ name: String) -> [UInt8] {
      var output = TextOutput(capacity: name.utf8.count + 8)
      output.appendQuoted(name)
      output.append(UInt8(ascii: ":"))
      return [UInt8](output.data)
    }
    for number in group.components {
      let component = directory.components[number]
      pending += [UInt8(ascii: ",")] + quoted(component.name)
      if component.encoding != .whole { pending.append(UInt8(ascii: "{")) }
      for (index, field) in component.fields.enumerated() {
        if index > 0 { pending.append(UInt8(ascii: ",")) }
        if component.encoding != .whole { pending += quoted(field.name) }
        let isBytes = component.encoding == .bytes
        let column = TextColumn(
          field.type, directory.blocks[isBytes ? next : next + index].range,
          rows: group.rows, row: isBytes ? (component.stride, field.offset) : nil,
          bytes.rawBytes)
        result.columns.append((pending, column))
        pending = []
      }
      if component.encoding != .whole { pending.append(UInt8(ascii: "}")) }
      next += component.blockCount
    }
    result.end = pending
    return result
  }

  private mutating func add(_ codec: any LinkCodec, _ pairs: [(source: Int, target: Int)]) {
    var starts = [UInt32](repeating: 0, count: snapshot.entityCount + 1)
    for (source, _) in pairs { starts[source + 1] += 1 }
    for position in 0..<snapshot.entityCount { starts[position + 1] += starts[position] }
    var (ends, targets) = (starts, [UInt32](repeating: 0, count: pairs.count))
    for (source, target) in pairs {
      targets[Int(ends[source])] = UInt32(target)
      ends[source] += 1
    }
    var name = TextOutput(capacity: 64)
    name.append(UInt8(ascii: ","))
    name.appendQuoted(codec.name)
    name.append(Array(":[".utf8))
    relations.append(Relation(name: [UInt8](name.data), starts: starts, targets: targets))
  }

  func encode() -> Data {
    var output = TextOutput(capacity: bytes.count * 4)
    appendHead(to: &output)
    let bytes = bytes.rawBytes
    let begin = Array("{\"@\":".utf8)
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
      for relation in relations.indices { append(relation, position, to: &output) }
      output.append(end)
    }
    return output.data
  }

  private func appendHead(to output: inout TextOutput) {
    output.append(Array("{\"snapshot\":".utf8))
    output.appendQuoted(schema.name)
    output.append(Array(",\"format\":\(Header.formatVersion)".utf8))
    let changed = schema.components.filter { $0.version > 1 }
    if !changed.isEmpty {
      let versions = JSONObject(
        uniqueKeysWithValues: changed.map { ($0.name, JSONValue.number(JSONNumber($0.version))) })
      output.append(",\"versions\":" + JSONValue.object(versions).json())
    }
    // Types say what is a name, but not to later programs that have other ones.
    var references: JSONObject = [:]
    for codec in schema.components where codec.isReference {
      let fields = codec.description.fields.filter { $0.type.scalar == .entity }
      references[codec.name] = .array(fields.map { .string($0.name) })
    }
    if !references.isEmpty {
      output.append(",\"references\":" + JSONValue.object(references).json())
    }
    output.append(Array("}\n".utf8))
  }

  private func append(_ relation: Int, _ position: Int, to output: inout TextOutput) {
    let start = Int(relations[relation].starts[position])
    let end = Int(relations[relation].starts[position + 1])
    if start == end { return }
    output.append(relations[relation].name)
    for index in start..<end {
      if index > start { output.append(UInt8(ascii: ",")) }
      names.append(Int(relations[relation].targets[index]), to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }
}
