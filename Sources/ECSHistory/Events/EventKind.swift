/// The kinds of events in an ``EventLog``.
public enum EventKind: String, Hashable, Sendable, CaseIterable {
  /// An entity was created; its components are reported as added.
  case created

  /// An entity was destroyed, after its components were reported as removed.
  case destroyed

  /// A component was added.
  case added

  /// A component was replaced.
  case replaced

  /// A component was removed.
  case removed

  /// An entity was linked to another one.
  case linked

  /// A link of an entity went.
  case unlinked

  /// A system is about to be initialized.
  case willInit

  /// A system was initialized.
  case didInit

  /// A system is about to execute.
  case willExec

  /// A system executed.
  case didExec

  /// A system is about to clean up.
  case willCleanup

  /// A system cleaned up.
  case didCleanup

  /// A system is about to be torn down.
  case willTeardown

  /// A system was torn down.
  case didTeardown

  /// A text was written; see ``EventLog/info(_:entity:)``.
  case infoLog

  /// The text of an error was written, or a system threw.
  case errorLog

  /// A link of an entity was moved among others.
  case moved

  /// The value of a link of an entity was replaced.
  case linkUpdated

  /// Its index among the cases.
  var number: UInt8 { EventKind.numbers[self] ?? 0 }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, UInt8($0)) })
}
