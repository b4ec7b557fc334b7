/// Parts that belong together, to be listed in several recipes.
///
/// ```swift
/// struct Timestamps: RecipeFragment {
///   var parts: [RecipePart] {
///     Fields(of: Created()) { Field(\.date, at: "created_at", as: .iso8601) }
///     Fields(of: Updated()) { Field(\.date, at: "updated_at", as: .iso8601) }
///   }
/// }
/// let posts = try Recipe("post") {
///   Timestamps()
///   …
/// }
/// ```
public protocol RecipeFragment: Sendable {
  /// The parts.
  @RecipeBuilder var parts: [RecipePart] { get }
}
