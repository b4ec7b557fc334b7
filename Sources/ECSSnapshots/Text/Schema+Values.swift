package import ECS
import ECSRecipes
import Foundation
package import JSONValues

// Single values in the form that text has for them, for tools.
extension Schema {
  /// A value as text has it, with entities by names.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - limit: How many bytes the text has at most.
  ///   - name: The name of an entity; nil if text can't have it.
  /// - Returns: The value; nil if the schema does not keep its component, an entity in it has no
  ///   name, or the text would be longer.
  /// - Throws: ``SnapshotError`` if a `Codable` conformance or a transformer does not take it.
  package func json(
    of value: any Component, limit: Int = .max, _ name: (Entity) -> String?
  ) throws(SnapshotError) -> JSONValue? {
    guard let number = numbers[type(of: value).cid] else { return nil }
    let codec = components[number]
    let collector = EntityCollector()
    let blocks = try codec.capture([value]).encode(nil, EntityPositions(collecting: collector))
    // The shortest texts of values have an eighth of their bytes.
    guard blocks.allSatisfy({ $0.bytes.byteCount / 8 <= limit }) else { return nil }
    let described = codec.description.inFields
    let entities = collector.entities
    let texts = entities.compactMap(name)
    guard texts.count == entities.count else { return nil }
    let names = EntityTexts(keys: texts)
    var output = TextOutput(capacity: 256)
    if described.encoding != .whole { output.append(UInt8(ascii: "{")) }
    for (index, (field, block)) in zip(described.fields, blocks).enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if described.encoding != .whole {
        output.appendQuoted(field.name)
        output.append(UInt8(ascii: ":"))
      }
      var data = Data()
      data.append(block.bytes)
      let bytes = [UInt8](data)
      TextColumn(field.type, 0..<bytes.count, rows: 1, row: nil, bytes.rawBytes)
        .append(0, bytes.rawBytes, names, to: &output)
      guard output.count <= limit else { return nil }
    }
    if described.encoding != .whole { output.append(UInt8(ascii: "}")) }
    do throws(JSONSyntaxError) {
      return try JSONValue(data: output.data)
    } catch {
      throw SnapshotError(.malformed("\(error)"), name: codec.name)
    }
  }

  /// Reads a value of a component; what is not there, and what the schema has no field for, is as
  /// in another value.
  ///
  /// A component that is kept as a whole is made of the text alone.
  ///
  /// - Parameters:
  ///   - cid: The component, which the schema keeps.
  ///   - json: The value, as text has it.
  ///   - base: The other value; nil for a new one.
  ///   - entity: Returns the entity of a name, if there is one.
  /// - Returns: The value.
  /// - Throws: ``SnapshotError`` if it is none.
  package func value(
    of cid: CID, _ json: JSONValue, base: (any Component)? = nil, _ entity: (String) -> Entity?
  ) throws(SnapshotError) -> any Component {
    guard let number = numbers[cid] else { throw SnapshotError(.unknown, name: cid.name) }
    let codec = components[number]
    let described = codec.description
    if described.encoding != .whole, let object = json.object {
      for key in object.keys where !described.fields.contains(where: { $0.name == key }) {
        throw SnapshotError(.unknown, name: "\(described.name).\(key)")
      }
    }
    var positions: [String: Int] = [:]
    var entities: [Entity?] = []
    if codec.isReference {
      for name in Schema.texts(in: json) where positions[name] == nil {
        guard let found = entity(name) else { continue }
        positions[name] = entities.count
        entities.append(found)
      }
    }
    let references = described.fields.filter { $0.type.scalar == .entity }.map(\.name)
    var rows = TextRows(codec, version: codec.version, references: references)
    try rows.append(json, 1)
    var (data, blocks): (Data, [Range<Int>]) = (Data(), [])
    for block in try rows.blocks(positions) {
      let start = data.count
      data.append(block.bytes)
      blocks.append(start..<data.count)
    }
    var component = described
    if base != nil, described.encoding != .whole {
      // The others are not read, and so stay.
      let given = described.fields.indices.filter { json[described.fields[$0].name] != nil }
      component.fields = given.map { described.fields[$0] }
      if described.encoding == .fields { blocks = given.map { blocks[$0] } }
    }
    let source = ComponentSource(
      component: component, data: .data(data), blocks: blocks, rows: 1,
      entityCount: entities.count)
    return try (base.map { codec.beginning(as: $0) } ?? codec).load(source).readable()
      .resolved(Arrivals(count: entities.count, nil, FoundEntities(entities))).component(0)
  }

  /// The texts in a value.
  private static func texts(in value: JSONValue) -> [String] {
    var (texts, pending): ([String], [JSONValue]) = ([], [value])
    while let next = pending.popLast() {
      switch next {
      case .string(let text): texts.append(text)
      case .array(let elements): pending += Array(elements)
      case .object(let object): pending += object.values
      case .null, .bool, .number: break
      }
    }
    return texts
  }
}
