public import ECS

/// The ``Schema`` of snapshots under another name, for files that import `ECSStore` as well.
public typealias SnapshotSchema = Schema

/// The ``SchemaError`` of snapshots under another name, for files that import `ECSStore` as well.
public typealias SnapshotSchemaError = SchemaError

/// The ``SchemaBuilder`` of snapshots under another name, for files that import `ECSStore` as well.
public typealias SnapshotSchemaBuilder = SchemaBuilder

/// A choice of what snapshots keep of a context, and its names in files.
///
/// ```swift
/// let schema = try Schema("shop") {
///   Stored(of: Title(text: ""), as: "title") { Field(\.text, at: "text") }
///   Stored(Rules.self, as: "rules")
///   Excluded(Network.self)
///   Links(WrittenBy.self, as: "writtenBy")
/// }
/// ```
///
/// It is checked when it is made. The order of its parts is that of the components in files, and
/// does not matter when they are read. No two components or relations have one name, since in text
/// nothing else tells them apart.
public struct Schema: Sendable {
  /// The name, which is that of snapshots as well.
  public let name: String

  let components: [any ComponentCodec]
  let numbers: [CID: Int]
  let excluded: Set<CID>
  let links: [any LinkCodec]

  /// The components by their names, present and former.
  let componentNames: [String: Int]
  let linkNames: [String: Int]

  /// The component that identifies entities.
  let identity: Int?

  /// Whether values refer to entities.
  let hasReferences: Bool

  /// Makes a schema.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - parts: What is kept.
  /// - Throws: ``SchemaError`` if parts contradict each other, or something would not be saved by
  ///   mistake.
  public init(_ name: String, @SchemaBuilder _ parts: () -> [SchemaPart]) throws(SchemaError) {
    var components: [any ComponentCodec] = []
    var numbers: [CID: Int] = [:]
    var links: [any LinkCodec] = []
    var excluded: Set<CID> = []
    var (componentNames, linkNames): ([String: Int], [String: Int]) = ([:], [:])
    var allNames: Set<String> = []
    var identity: Int?
    for part in try StoredRecipe.expanded(parts(), in: name) {
      switch part.content {
      case .component(let part):
        let codec = try part.codec(in: name)
        if numbers.updateValue(components.count, forKey: codec.cid) != nil {
          throw SchemaError(.typeTwice(codec.cid.name), schema: name, name: codec.name)
        }
        try Schema.register(
          [codec.name] + codec.formerNames, components.count, in: &componentNames, &allNames,
          of: name)
        if codec.hasIdentity {
          if let identity {
            throw SchemaError(
              .identityTwice(components[identity].name), schema: name, name: codec.name)
          }
          identity = components.count
        }
        components.append(codec)
      case .excluded(let cid): excluded.insert(cid)
      case .links(let codec):
        if links.contains(where: { $0.typeID == codec.typeID }) {
          throw SchemaError(.typeTwice(codec.name), schema: name, name: codec.name)
        }
        try Schema.register(
          [codec.name] + codec.formerNames, links.count, in: &linkNames, &allNames, of: name)
        let complete = try codec.withValues(in: name)
        if let values = complete.values {
          var names: [String: Int] = [:]
          try Schema.register(
            [values.name] + values.formerNames, links.count, in: &names, &allNames, of: name)
        }
        links.append(complete)
      }
    }
    for cid in excluded {
      if let number = numbers[cid] {
        throw SchemaError(.typeTwice(cid.name), schema: name, name: components[number].name)
      }
    }
    (self.name, self.components, self.numbers, self.excluded) = (
      name, components, numbers, excluded
    )
    (self.links, self.componentNames, self.linkNames) = (links, componentNames, linkNames)
    self.identity = identity
    hasReferences =
      components.contains(where: \.isReference)
      || links.contains { $0.values?.isReference == true }
  }

  private static func register(
    _ names: [String], _ number: Int, in kind: inout [String: Int], _ all: inout Set<String>,
    of schema: String
  ) throws(SchemaError) {
    for name in names {
      if name.isEmpty { throw SchemaError(.emptyName, schema: schema, name: names[0]) }
      if name == "@" { throw SchemaError(.reservedName, schema: schema, name: names[0]) }
      if !all.insert(name).inserted {
        throw SchemaError(.nameTwice, schema: schema, name: name)
      }
      kind[name] = number
    }
  }

  /// The component types that are kept.
  public var cids: [CID] { components.map(\.cid) }

  /// Whether values of components, or of links, refer to entities.
  package var refersToEntities: Bool { hasReferences }

  /// Whether links of some relations are kept.
  package var hasLinks: Bool { !links.isEmpty }

  /// The schema of some of its components, which has no identity, and no relations unless it is to
  /// keep them.
  package func only(_ cids: Set<CID>, withLinks: Bool = false) -> Schema {
    Schema(self, only: cids, withLinks)
  }

  private init(_ other: Schema, only cids: Set<CID>, _ withLinks: Bool) {
    (name, excluded) = (other.name, [])
    (links, linkNames) = withLinks ? (other.links, other.linkNames) : ([], [:])
    components = other.components.filter { cids.contains($0.cid) }
    var numbers: [CID: Int] = [:]
    var componentNames: [String: Int] = [:]
    for (index, codec) in components.enumerated() {
      numbers[codec.cid] = index
      for name in [codec.name] + codec.formerNames { componentNames[name] = index }
    }
    (self.numbers, self.componentNames) = (numbers, componentNames)
    identity = nil
    hasReferences =
      components.contains(where: \.isReference)
      || links.contains { $0.values?.isReference == true }
  }
}
