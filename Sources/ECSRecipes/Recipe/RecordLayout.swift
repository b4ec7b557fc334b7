import ECS
import JSONValues

/// The layout of the values of records that are carried out without a plan.
///
/// There is one only if no record can ask for what takes a plan to decide: what to do about
/// hierarchies, about several recipes that write one component, or about links that are set from
/// both sides.
final class RecordLayout: Sendable {
  /// The recipe of a record, or one of those of the records nested in it.
  // PERFORMANCE: An object, since it is passed on with each record.
  final class Kind: Sendable {
    let mappings: [any ComponentMapping]
    let identity: (any IdentityMapping)?

    /// Where the identity is; nowhere if there is none.
    let identityPosition: RecipeDefinition.Position
    let areOptional: Bool

    /// Where each value is, those of each component one after the other.
    let paths: [JSONPath]

    /// The keys at which all values are; nil if some are elsewhere.
    let keys: [String]?

    /// A reader of records that are nothing but values at such keys; nil if there is more to them.
    // PERFORMANCE: It reads in one go what would take a call for each value (P4).
    let reader: JSONRecordReader?

    /// The number of values of each component.
    let counts: [Int]
    let relations: [Relation]

    /// Whether any relation is a field of a component.
    let hasFields: Bool

    /// Whether any related entities are parts.
    let hasParts: Bool

    /// Whether a record is one value and no container.
    let isLeaf: Bool

    /// What records have outermost; nil if they can't be read without being parsed as a whole.
    let root: Content?

    fileprivate init(_ parts: Parts, _ counts: [Int], _ relations: [Relation]) {
      (mappings, identity, self.counts) = (parts.mappings, parts.identity, counts)
      identityPosition = parts.identityPosition ?? RecipeDefinition.Position(mapping: -1, field: 0)
      areOptional = mappings.allSatisfy(\.isOptional)
      let paths = mappings.flatMap(\.leaves).map(\.path)
      self.paths = paths
      let keys = paths.compactMap { path in
        if path.steps.count == 1, case .key(let key) = path.steps[0] { key } else { nil }
      }
      self.keys = keys.count == paths.count ? keys : nil
      reader = relations.isEmpty ? self.keys.flatMap(JSONRecordReader.init) : nil
      self.relations = relations
      hasFields = relations.contains { $0.link.component != nil }
      hasParts = relations.contains(where: \.isOwned)
      root = Content(parts.shape, leafCount: paths.count)
      if case .leaf = parts.shape { isLeaf = true } else { isLeaf = false }
    }
  }

  final class Relation: Sendable {
    let path: JSONPath
    let isMany: Bool

    /// Whether related entities are written as keys.
    let isKey: Bool
    let isOwned: Bool
    let link: RecipeLink

    /// Whether the relation is a field of a component.
    let isField: Bool

    /// Adds a target to an entity that has none; nil if that takes more.
    let insert: (@Sendable (Entity, Entity) -> Void)?

    /// The number of the kind of the related entities.
    let kind: Int

    fileprivate init(_ mapping: NestedMapping, kind: Int) {
      path = mapping.path
      (isMany, isKey) = (mapping.nested.isMany, mapping.nested.form == .key)
      (isOwned, link, self.kind) = (mapping.nested.isOwned, mapping.nested.link, kind)
      (isField, insert) = (link.component != nil, link.insert)
    }
  }

  /// The content of a place.
  enum Content: Sendable {
    /// A value, with its number among those of the record.
    case leaf(Int)

    /// One or more records, with the number of the relation.
    case relation(Int)
    case object(ObjectContent)
    case list(ListContent)
  }

  final class ObjectContent: Sendable {
    let keys: JSONKeys

    /// What stands at each key.
    let contents: [Content]

    /// The values in it; nil if there are relations.
    let leaves: [Int]?

    fileprivate init(_ keys: JSONKeys, _ contents: [Content], _ leaves: [Int]?) {
      (self.keys, self.contents, self.leaves) = (keys, contents, leaves)
    }
  }

  final class ListContent: Sendable {
    /// What stands at each position that anything is asked of.
    let contents: [Content?]

    /// The values in it; nil if there are relations.
    let leaves: [Int]?

    fileprivate init(_ contents: [Content?], _ leaves: [Int]?) {
      (self.contents, self.leaves) = (contents, leaves)
    }
  }

  /// The parts of a recipe, as far as they matter here.
  struct Parts {
    var mappings: [any ComponentMapping]
    var identity: (any IdentityMapping)?
    var identityPosition: RecipeDefinition.Position?
    var nested: [NestedMapping]
    var unknownKeys: Recipe.UnknownKeys
    var shape: Shape?
  }

  /// The kinds, that of the records first.
  let kinds: [Kind]

  /// Relations and positions in lists are counted in the bits of a word.
  static let maximumCount = 64

  /// Nil if records need a plan.
  init?(_ parts: Parts) {
    var kinds: [Kind?] = []
    var numbers: [ObjectIdentifier: Int] = [:]
    guard RecordLayout.add(parts, to: &kinds, &numbers) != nil else { return nil }
    self.kinds = kinds.compactMap(\.self)
    guard !hasConflicts else { return nil }
  }

  /// Adds a recipe and those nested in it; nil if its records need a plan.
  private static func add(
    _ parts: Parts, to kinds: inout [Kind?], _ numbers: inout [ObjectIdentifier: Int]
  ) -> Int? {
    let counts = parts.mappings.compactMap(\.leafCount)
    guard parts.unknownKeys == .ignore, parts.shape != nil,
      counts.count == parts.mappings.count, parts.nested.count <= maximumCount
    else { return nil }
    let number = kinds.count
    kinds.append(nil)
    var relations: [Relation] = []
    for mapping in parts.nested {
      guard mapping.nested.link.isPlain else { return nil }
      guard let other = mapping.nested.recipe?.definition else {
        relations.append(Relation(mapping, kind: number))
        continue
      }
      guard
        let kind = numbers[ObjectIdentifier(other)] ?? add(other.layoutParts, to: &kinds, &numbers)
      else { return nil }
      numbers[ObjectIdentifier(other)] = kind
      relations.append(Relation(mapping, kind: kind))
    }
    kinds[number] = Kind(parts, counts, relations)
    return number
  }

  /// Whether two of the kinds, or two parts of one, may be about the same.
  private var hasConflicts: Bool {
    let identities = kinds.compactMap(\.identity)
    var (ofTargets, ofSources): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
    for kind in kinds {
      for (index, mapping) in kind.mappings.enumerated() {
        let own = index == kind.identityPosition.mapping ? kind.identity?.number : nil
        if identities.contains(where: { $0.cid == mapping.cid && $0.number != own }) { return true }
      }
      var written = Set(kind.mappings.map(\.cid))
      for relation in kind.relations {
        switch relation.link.kind {
        case .targets(let type): ofTargets.insert(ObjectIdentifier(type))
        case .sources(let type): ofSources.insert(ObjectIdentifier(type))
        case .field(_, let cid):
          guard written.insert(cid).inserted, !identities.contains(where: { $0.cid == cid }) else {
            return true
          }
        case .custom: return true
        }
      }
    }
    return !ofTargets.isDisjoint(with: ofSources)
  }
}

extension RecordLayout.Content {
  /// Nil if records can't be read by it.
  fileprivate init?(_ shape: Shape?, leafCount: Int) {
    switch shape {
    case .leaf(let number)?:
      self = number < leafCount ? .leaf(number) : .relation(number - leafCount)
    case .object(let entries)?:
      let contents = entries.compactMap { RecordLayout.Content($0.shape, leafCount: leafCount) }
      guard contents.count == entries.count, let keys = JSONKeys(entries.map(\.key)) else {
        return nil
      }
      self = .object(
        RecordLayout.ObjectContent(keys, contents, RecordLayout.Content.leaves(of: contents)))
    case .array(let elements)?:
      let count = 1 + (elements.keys.max() ?? -1)
      guard count <= RecordLayout.maximumCount else { return nil }
      var contents: [RecordLayout.Content?] = Array(repeating: nil, count: count)
      for (index, element) in elements {
        guard let content = RecordLayout.Content(element, leafCount: leafCount) else { return nil }
        contents[index] = content
      }
      let leaves = RecordLayout.Content.leaves(of: contents.compactMap(\.self))
      self = .list(RecordLayout.ListContent(contents, leaves))
    case .presence?, nil: return nil
    }
  }

  /// The values at places; nil if there are relations.
  private static func leaves(of contents: [RecordLayout.Content]) -> [Int]? {
    var leaves: [Int] = []
    for content in contents {
      switch content {
      case .leaf(let number): leaves.append(number)
      case .relation: return nil
      case .object(let object):
        guard let inner = object.leaves else { return nil }
        leaves += inner
      case .list(let list):
        guard let inner = list.leaves else { return nil }
        leaves += inner
      }
    }
    return leaves
  }
}

extension RecipeLink {
  /// Whether it leads through a relation without an order of its own and without values, or through
  /// a component.
  fileprivate var isPlain: Bool {
    if case .custom = kind { return false }
    return hierarchy == nil && values == nil
  }
}
