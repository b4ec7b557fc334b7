public import ECS
import JSONValues

/// A component, usually a tag, that an entity has if a Boolean is true.
///
/// ```swift
/// Flag(Admin(), at: "admin")  // {"admin":true}
/// ```
///
/// With `true` the entity gets the component unless it has it, with `false` or `null` it loses it,
/// and without a value nothing changes. It is written as `true` or `false`.
public struct Flag<C: Component>: Sendable {
  let component: C
  var location: PartLocation

  /// Maps a component to a Boolean.
  ///
  /// - Parameters:
  ///   - component: What entities without such a component get.
  ///   - path: Where the Boolean is.
  public init(_ component: C, at path: String) {
    (self.component, location) = (component, .text(path))
  }
}

extension Flag: LocatedPart {
  var cid: CID { C.cid }

  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping {
    try FlagMapping(self, recipe: recipe)
  }
}
