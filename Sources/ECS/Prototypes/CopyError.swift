/// An entity could not be copied; nothing was changed.
public enum CopyError: Error, Sendable {
  /// The entity is dead.
  case dead(Entity)

  /// The entity belongs to another context than the one that was to copy it.
  case foreign(Entity)

  /// The copy of an entity would have a unique component that another entity holds, or that another
  /// copy would have as well: remove it in the closure.
  case unique(component: any UniqueComponent.Type, of: Entity)

  /// The copy of an entity would have a key of a ``PrimaryIndex`` that another entity has, or that
  /// another copy would have as well (then the holder is nil): set or remove the component in the
  /// closure.
  case duplicateKey(component: any Component.Type, of: Entity, holder: Entity?)
}

extension CopyError: CustomStringConvertible {
  /// What is wrong, with the entity and the component.
  public var description: String {
    switch self {
    case .dead(let entity): "\(entity) cannot be copied: it is dead."
    case .foreign(let entity):
      "\(entity) cannot be copied by a context that it does not belong to: call clone of its own, into the other one."
    case .unique(let component, let entity):
      "\(entity) cannot be copied with \(component), which only one entity holds: remove it from the copy."
    case .duplicateKey(let component, let entity, let holder?):
      "\(entity) cannot be copied with its \(component): \(holder) has that key; give the copy another one."
    case .duplicateKey(let component, let entity, nil):
      "\(entity) cannot be copied with its \(component): another copy has that key; give each another one."
    }
  }
}
