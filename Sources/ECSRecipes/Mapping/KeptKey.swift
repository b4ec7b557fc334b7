package import ECS

/// A key of entities that something besides recipes keeps them by, such as a table of a store: its
/// fields.
package struct KeptKey: Sendable {
  /// A field, and the component that has it.
  package typealias Field = (component: CID, keyPath: any AnyKeyPath & Sendable)

  /// A key with its values.
  package struct Value: Hashable {
    fileprivate let number: Int
    fileprivate let values: [AnyHashable]
  }

  fileprivate let fields: [Field]

  /// Makes a key of fields; none if it has none.
  package init?(_ fields: [Field]) {
    if fields.isEmpty { return nil }
    self.fields = fields
  }

  /// The values of components; nil if they don't have all of them.
  fileprivate func values(of components: [any Component]) -> [AnyHashable]? {
    var values: [AnyHashable] = []
    for field in fields {
      guard let component = components.first(where: { $0.cid == field.component }),
        let value = KeptKey.value(of: component, field.keyPath)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private static func value<C: Component>(
    of component: C, _ keyPath: AnyKeyPath
  ) -> AnyHashable? {
    (component[keyPath: keyPath] as? AnyHashable).map(TextKey.comparable)
  }
}

extension Mapper {
  /// Notes a key by which something keeps the entities of the context, as long as there are mappers
  /// of it.
  package func note(_ key: KeptKey) { context.perform { indexes.keptKeys.append(key) } }

  /// The keys by which entities with some components are kept, other than those that all have that
  /// are made of nothing: those of ``note(_:)``, and identities that are used in the context.
  ///
  /// - Complexity: O(*k*), where *k* is the number of keys.
  package func keptKeys(
    of components: [any Component], with recipe: Recipe
  ) -> [KeptKey.Value] {
    context.perform {
      let own = recipe.identity.map { indexes.index(of: $0)?.number } ?? nil
      let keys =
        indexes.keptKeys.map(\.fields)
        + indexes.all.filter { $0.number != own }.map { [($0.cid, $0.keyPath)] }
      if keys.isEmpty { return [] }
      let blank = (try? recipe.components(from: .object([:]))) ?? []
      return keys.enumerated().compactMap { index, fields in
        guard let key = KeptKey(fields), let values = key.values(of: components),
          values != key.values(of: blank)
        else { return nil }
        return KeptKey.Value(number: index, values: values)
      }
    }
  }
}
