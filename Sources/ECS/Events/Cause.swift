/// Why a change was made: what was running that has a name.
///
/// Systems of loops name themselves, and so do observers in the critical section; other code is
/// named by ``Context/perform(_:file:line:_:)`` and ``Context/transaction(_:file:line:_:)``. The
/// innermost one counts. What none of them encloses has the cause ``unknown``.
public struct Cause: Hashable, Sendable {
  /// The kind of code that has a name.
  public enum Kind: Hashable, Sendable {
    /// Nothing that was running.
    case unknown

    /// The code of a named section.
    case section

    /// A system of a loop.
    case system

    /// An observer.
    case observer
  }

  /// What it was.
  public let kind: Kind

  /// The name of the section, the system or the observer; of an observer without one, that of what
  /// it observes.
  public let name: String

  /// The name of the loop of a system; else nil.
  public let loop: String?

  /// Where a section was written, or where an observer began to observe, as `#fileID` says it; else
  /// nil.
  public let file: String?

  /// The line in the file; nil if there is no file.
  public let line: Int?

  /// What is said of changes that nothing encloses that has a name.
  public static let unknown = Cause(kind: .unknown, name: "")

  package init(
    kind: Kind, name: String, loop: String? = nil, file: String? = nil, line: Int? = nil
  ) {
    self.kind = kind
    self.name = name
    self.loop = loop
    self.file = file
    self.line = line
  }
}

extension Cause: CustomStringConvertible {
  /// The kind and the names, with the location.
  public var description: String {
    switch kind {
    case .unknown: "unknown"
    case .section: "section \(name)\(location)"
    case .system: loop.map { "system \(name) of loop \($0)" } ?? "system \(name)"
    case .observer: "observer \(name)\(location)"
    }
  }

  private var location: String { file.map { " (\($0):\(line ?? 0))" } ?? "" }
}
