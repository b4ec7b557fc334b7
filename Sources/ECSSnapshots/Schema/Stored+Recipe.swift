public import ECS
public import ECSRecipes

extension Stored where C == RecipeComponents {
  /// Keeps all that a recipe maps: its components, the relations that it nests, and what the nested
  /// recipes map.
  ///
  /// ```swift
  /// let schema = try Schema("shop") {
  ///   Stored(products)
  ///   Stored(orders).keeping(Order.self, as: "order", formerly: "Purchase") {
  ///     $0.leaving(\.isShown)
  ///   }
  /// }
  /// ```
  ///
  /// Components and relations are called what their types are called, fields what their paths in
  /// the data are. Of a component that is mapped by `AutomaticFields`, as a `Whole`, or by a key
  /// that it is made of, the data is kept, which is slower than fields, and as much as the data
  /// has: not what was removed from the mapping, or what coding keys leave out. Of others, fields
  /// that a recipe does not map would be lost, and are an error: leave them out by
  /// ``keeping(_:as:version:formerly:with:)``.
  ///
  /// A component or a relation that the schema lists by itself, or leaves out by ``Excluded``, is
  /// as that says. Several recipes may map one component, in the same way. Versions and migrations
  /// are those of components: `migrating(from:_:)` of a recipe is an error of the schema. Values of
  /// links are kept as the recipe maps them; if it does not, list the relation.
  ///
  /// - Parameter recipe: The recipe.
  public init(_ recipe: Recipe) {
    self.init(recipe.name, .recipe(StoredRecipe(recipe: recipe)))
  }

  /// Says of a component of the recipe what the recipe does not: what it is called in files, its
  /// version, and what ``Stored`` of one component can say.
  ///
  /// - Parameters:
  ///   - type: The component.
  ///   - name: What it is called in snapshots; nil for the name of its type.
  ///   - version: Grows when what the fields mean changes so that it takes a migration.
  ///   - formerNames: What it was called before.
  ///   - change: Says more, such as with ``Stored/migrating(from:_:)``, ``Stored/leaving(_:)`` and
  ///     ``Stored/identified(by:)``.
  /// - Returns: The recipe with that.
  public func keeping<D: Component>(
    _ type: D.Type, as name: String? = nil, version: Int = 1, formerly formerNames: String...,
    with change: @escaping @Sendable (Stored<D>) -> Stored<D> = { $0 }
  ) -> Stored {
    guard case .recipe(var recipe) = form else { return self }
    recipe.details[D.cid] = StoredRecipe.Details<D> { form in
      change(Stored<D>(name ?? D.cid.name, version: version, formerly: formerNames, form))
    }
    return Stored(self.name, .recipe(recipe))
  }
}
