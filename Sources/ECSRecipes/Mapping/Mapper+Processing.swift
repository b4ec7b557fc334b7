public import ECS
public import JSONValues

extension Recipe {
  /// Makes components from data, without an entity.
  ///
  /// ```swift
  /// let components = try users.components(from: ["id": 7, "name": "Ada"])
  /// ```
  ///
  /// Relations are left out.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - present: The components that are already there, for the data to change.
  /// - Returns: Those components that the recipe maps, in its order, as an entity with the present
  ///   ones would have them afterwards.
  /// - Throws: ``RecipeError``.
  public func components(
    from data: JSONValue, over present: [any Component] = []
  ) throws(RecipeError) -> [any Component] {
    var result: [any Component] = []
    do throws(TransformFailure) {
      try DecodedRecord.checkOutermost(self, data, shape)
      for mapping in mappings {
        let old = present.first { $0.cid == mapping.cid }
        let patch = try mapping.decode(data, only: nil)
        if old == nil { try mapping.checkComplete(patch, isSelective: false) }
        if let component = patch.map({ $0.processed(over: old) }) ?? old {
          result.append(component)
        }
      }
    } catch {
      throw RecipeError(recipe: name, path: error.path, reason: error.reason)
    }
    return result
  }

  /// Makes one component from data, without an entity.
  ///
  /// ```swift
  /// let user = try users.component(User.self, from: ["name": "Ada"])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the component.
  ///   - data: The data; what it says about other components is ignored.
  ///   - old: The component that is already there, for the data to change.
  /// - Returns: The component; nil if the data says nothing about it, or removes it.
  /// - Throws: ``RecipeError``, including when the recipe does not map the component.
  public func component<C: Component>(
    _ type: C.Type, from data: JSONValue, over old: C? = nil
  ) throws(RecipeError) -> C? {
    guard let mapping = mappings.first(where: { $0.cid == C.cid }) else {
      throw RecipeError(recipe: name, path: .root, reason: .unknownField("\(C.self)"))
    }
    do throws(TransformFailure) {
      guard let patch = try mapping.decode(data, only: nil) else { return old }
      if old == nil { try mapping.checkComplete(patch, isSelective: false) }
      return patch.processed(over: old) as? C
    } catch {
      throw RecipeError(recipe: name, path: error.path, reason: error.reason)
    }
  }

  /// Turns components into data, without an entity.
  ///
  /// ```swift
  /// try users.data(of: [UserID(value: 7), User(name: "Ada")])
  /// ```
  ///
  /// Components that the recipe does not map are left out, and so are relations.
  ///
  /// - Throws: ``RecipeError``, as ``Mapper/decompose(_:with:only:)`` does.
  public func data(of components: [any Component]) throws(RecipeError) -> JSONValue {
    do throws(TransformFailure) {
      var values: [JSONValue?] = []
      for mapping in mappings { try mapping.encode(components, into: &values) }
      for _ in nested { values.append(nil) }
      for number in definition.presenceMappings {
        let cid = mappings[number].cid
        values.append(components.contains { $0.cid == cid } ? .object([:]) : .null)
      }
      return try shape?.filled(with: values, leaves) ?? emptyData
    } catch {
      throw RecipeError(recipe: name, path: error.path, reason: error.reason)
    }
  }
}
