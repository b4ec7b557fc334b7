/// Why a snapshot could not be made, read, restored or written.
///
/// Whenever it is thrown, no context has changed, no observer was notified, and the file that was
/// to be replaced is as it was.
public struct SnapshotError: Error, Sendable, Hashable {
  /// A reason for an error.
  public enum Reason: Sendable, Hashable {
    /// The data does not begin as a snapshot does.
    case notASnapshot

    /// The data is of a later version of the format; with its number.
    case laterFormat(Int)

    /// The data ends too early, or says that something is longer than what is left.
    case truncated(needed: UInt64, available: Int)

    /// Bytes are not those that were written: their checksum is another one.
    case damaged

    /// The data contradicts itself; with how.
    case malformed(String)

    /// The data has a component or a relation that the schema does not name.
    case unknown

    /// A component is of a later version than that of the schema.
    case laterVersion(found: Int, supported: Int)

    /// A value can't be converted to what the schema says it is, or from it; with why.
    case invalid(String)

    /// The context has entities with components, or without any, that a snapshot would bring.
    case contextNotEmpty

    /// Several entities have one key; with the key.
    case duplicateKey(String)

    /// Several entities hold one unique component.
    case severalHolders

    /// Links of a relation can't be as they are said to be; with why.
    case badLinks(String)

    /// The schema does not keep the component of the primary index by which entities are to be
    /// found, or that component refers to entities itself.
    case noIdentity

    /// An entity does not have the component by which it is to be found.
    case noKey

    /// An entity of the context is several of the snapshot.
    case ambiguous

    /// An entity of the snapshot is several of the context: they hold unique components that it
    /// has.
    case severalFound

    /// An entity that was found would be destroyed: it is related, by a rule that says so, to one
    /// that `setUniqueComponent(_:)` made, and that would be left with nothing.
    case endsWithHolder

    /// The file system refused; with what it said.
    case file(String)
  }

  /// The reason for the error.
  public let reason: Reason

  /// The component, field or relation that it is about, or the part of the file.
  public let name: String?

  /// Where in the data it was noticed, in bytes from the beginning, or by line for JSON.
  public let offset: Int?

  /// Makes an error.
  public init(_ reason: Reason, name: String? = nil, offset: Int? = nil) {
    (self.reason, self.name, self.offset) = (reason, name, offset)
  }
}

extension SnapshotError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let text =
      switch reason {
      case .notASnapshot: "the data is not a snapshot"
      case .laterFormat(let version): "the data has the later format \(version)"
      case .truncated(let needed, let available):
        "\(needed) bytes should follow, but \(available) are left"
      case .damaged: "the checksum is another one"
      case .malformed(let why): why
      case .unknown: "the schema does not name it"
      case .laterVersion(let found, let supported):
        "its version is \(found), but the schema's is \(supported)"
      case .invalid(let why): why
      case .contextNotEmpty: "the context is not empty"
      case .duplicateKey(let key): "several entities have the key \(key)"
      case .severalHolders: "several entities hold the unique component"
      case .badLinks(let why): why
      case .noIdentity: "the schema keeps no such component that does not refer to entities"
      case .noKey: "an entity does not have the component by which it is to be found"
      case .ambiguous: "an entity of the context is several of the snapshot"
      case .severalFound: "an entity of the snapshot is several of the context"
      case .endsWithHolder:
        "an entity that was found would be destroyed with the one that holds the component"
      case .file(let why): why
      }
    return [name, offset.map { "at \($0)" }, text].compactMap(\.self).joined(separator: ": ")
  }
}
