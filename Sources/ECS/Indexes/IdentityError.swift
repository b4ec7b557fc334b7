/// A key could not be assigned to an entity.
public enum IdentityError<Key: Hashable & Sendable>: Error, Hashable, Sendable {
  /// Another entity has the key.
  case duplicate(key: Key, holder: Entity)

  /// The entity has another key, and keys do not change.
  case immutable(current: Key, refused: Key)

  /// The key does not equal itself, as a number that is none (NaN), so it would never be found
  /// again.
  case invalid(refused: Key)
}

extension IdentityError: CustomStringConvertible {
  /// What is wrong, with the keys.
  public var description: String {
    switch self {
    case .duplicate(let key, let holder):
      "The key \(key) cannot be given to a second entity: \(holder) has it."
    case .immutable(let current, let refused):
      "The key \(refused) cannot be given to an entity that has the key \(current): remove the component first, or copy the entity to the new key."
    case .invalid:
      // Not the key: Foundation stops the process for the text of such a date.
      "A \(Key.self) that does not equal itself can't identify an entity: it would never be found again."
    }
  }
}
