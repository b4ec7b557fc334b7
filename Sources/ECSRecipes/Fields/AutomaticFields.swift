public import ECS
public import Foundation
import JSONValues

/// All fields of a component that is `Codable`, each at the key that is its name.
///
/// ```swift
/// AutomaticFields(of: Settings(fontSize: 12, theme: nil), keys: .snakeCase)  // font_size, theme
/// ```
///
/// The rules for absent keys, `null` and errors are those of all recipes. The coding keys of the
/// component must be the names of its properties; an ``Identity`` and selections of fields need
/// ``Fields``. Dates are written in ISO 8601 by default.
public struct AutomaticFields<C: Component & Codable>: Sendable {
  let template: C
  let keys: RecipeKeys
  let path: String?
  let paths: [String: String]
  let dates: Transformer<Date>

  /// Properties that are not mapped, and those that were moved.
  var excluded: Set<String> = []
  var moved: [String: JSONPath] = [:]

  /// Maps all fields of a component.
  ///
  /// - Parameters:
  ///   - template: What a new component starts from.
  ///   - keys: How keys are made from the names of properties.
  ///   - path: Where the object with the keys is; the outermost value by default.
  ///   - paths: Paths, below that object, for properties that are elsewhere, by their names.
  ///   - dates: How dates are written, including those within other values: ISO 8601 by default,
  ///     ``Transformer/secondsSince1970``, ``Transformer/millisecondsSince1970``,
  ///     ``Transformer/date(format:timeZone:)`` or your own.
  public init(
    of template: C, keys: RecipeKeys = .asNamed, at path: String? = nil,
    paths: [String: String] = [:], dates: Transformer<Date> = .iso8601
  ) {
    (self.template, self.keys, self.path) = (template, keys, path)
    (self.paths, self.dates) = (paths, dates)
  }

  /// Maps all fields of a component.
  @available(*, unavailable, renamed: "init(of:keys:at:paths:dates:)")
  public init(
    of template: C, keys: RecipeKeys = .asNamed, at path: String? = nil,
    places: [String: String], dates: Transformer<Date> = .iso8601
  ) {
    self.init(of: template, keys: keys, at: path, paths: places, dates: dates)
  }
}

extension AutomaticFields: ComponentPart {
  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try AutomaticMapping(self, recipe: recipe)
  }

  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    let properties = try AutomaticMapping(self, recipe: recipe).properties
    var part = self
    part.excluded.formUnion(properties.filter { paths.contains($0.leaf.path) }.map(\.name))
    return part.excluded.count == properties.count + excluded.count ? nil : part
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    var part = self
    for property in try AutomaticMapping(self, recipe: recipe).properties {
      if let path = paths[property.leaf.path] { part.moved[property.name] = path }
    }
    return part
  }
}
