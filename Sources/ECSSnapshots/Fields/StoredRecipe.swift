import ECS
import ECSRecipes

/// A recipe whose components are kept.
struct StoredRecipe: Sendable {
  /// Details of a component beyond the recipe.
  struct Details<C: Component>: Sendable {
    let part: @Sendable (Stored<C>.Form) -> Stored<C>
  }

  let recipe: Recipe

  /// A ``Details`` of each component that more is said of.
  var details: [CID: any Sendable] = [:]
}
