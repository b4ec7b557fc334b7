public import ECS

/// An error of what keeps a context that is about some of its entities only: all others are kept.
///
/// What waits for a context to be kept, such as what sends changes later, then goes on with the
/// others.
public protocol PartlyKept: Error {
  /// The entities of which something could not be kept.
  var entitiesNotKept: [Entity] { get }
}
