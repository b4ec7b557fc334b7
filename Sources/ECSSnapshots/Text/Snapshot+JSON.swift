import ECS
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
  /// Components and relations stand in the order of the schema, with their fields by name. Entities
  /// are called by the key that ``Stored/identified(by:)`` names, or by `#` and their position in
  /// the order of creation, which moves when an older one is destroyed. Keys of several entities
  /// that differ and are the same as text name none of them. Values have the forms that `Codable`
  /// gives them; numbers for which JSON has none are texts. The first line says which fields refer
  /// to entities, if there are any. The orders of rows are not part of it, and of links only those
  /// of targets. A link that has a value is an object, with the name of its target, and the value
  /// by the name that the schema has for it:
  ///
  /// ```
  /// {"@":"#2","name":{"text":"Ada"},"memberOf":[{"@":"#3","membership":{"role":"admin"}}]}
  /// ```
  ///
  /// - Parameter schema: Names everything that the snapshot has.
  /// - Returns: Lines of JSON in UTF-8, each with its end.
  /// - Throws: ``SnapshotError`` as restoring does.
  /// - Complexity: O(*n* · *c* + *k*), where *n* is the number of entities, *c* that of components
  ///   and *k* that of links.
  public func json(_ schema: Schema) throws(SnapshotError) -> Data {
    let loading = try Loading(self, schema, .fail)
    if isWritten(by: schema) { return JSONLineEncoder(self, schema, loading).encode() }
    // Another version of the schema has written it.
    let context = Context()
    loading.put(into: context)
    let present = try context.snapshot(schema)
    return JSONLineEncoder(present, schema, try Loading(present, schema, .fail)).encode()
  }

  /// Whether the snapshot has all as this schema writes it.
  private func isWritten(by schema: Schema) -> Bool {
    guard directory.relations.map(\.name) == schema.links.map(\.name) else { return false }
    var components = schema.components.map(\.description)
    for (relation, codec) in zip(directory.relations, schema.links) {
      if let values = relation.values {
        guard let codec = codec.values, values.component == components.count else { return false }
        components.append(codec.description.inFields)
      } else if codec.values != nil, relation.count > 0 {
        // It is from before links had values.
        return false
      }
    }
    return directory.components == components
  }

  /// Reads what ``json(_:)`` wrote, or what was edited since.
  ///
  /// The order of lines is that of creation. Names of entities may be any texts: they have to be
  /// different, and links and references have to be to one that is there. In a field that refers to
  /// an entity, a number is its position in the order of creation: 0 is the first. Empty lines mean
  /// nothing. If links of a relation have values, all of its links in the text have one, or none,
  /// and then `Links` says which one they get.
  ///
  /// - Parameters:
  ///   - json: Lines of JSON in UTF-8.
  ///   - schema: Names all components and relations that are there.
  /// - Throws: ``SnapshotError``, with the number of the line as its offset.
  /// - Complexity: As of ``json(_:)``.
  public init(json: Data, _ schema: Schema) throws(SnapshotError) {
    self = try JSONLineDecoder(json, schema).snapshot()
  }
}
