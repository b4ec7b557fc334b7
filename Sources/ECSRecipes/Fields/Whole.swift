public import ECS
import JSONValues

/// A component that is represented by one value, through its own transformer.
///
/// ```swift
/// Whole(Location.self, at: "geo", as: Transformer("geo URI") { … } encode: { … })
/// ```
///
/// With a value the entity gets the component, with `null` it loses it, and without a value nothing
/// changes. An equal component is not written.
public struct Whole<C: Component & Equatable>: Sendable {
  let transformer: Transformer<C>
  var location: PartLocation

  /// Maps a component to a value.
  ///
  /// - Parameters:
  ///   - component: The type of the component.
  ///   - path: Where the value is.
  ///   - transformer: What turns it into the component, and back.
  public init(_ component: C.Type, at path: String, as transformer: Transformer<C>) {
    (self.transformer, location) = (transformer, .text(path))
  }
}

extension Whole: LocatedPart {
  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try WholeMapping(self, recipe: recipe)
  }
}
