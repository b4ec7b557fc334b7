/// A question to an ``EventLog``, in the query language of EntitasKit.
///
/// ```text
/// events where all(added component:Score) none(system:Referee)
/// entities where any(created destroyed) all(tick:10..20)
/// durations where all(system:Layout)
/// ```
///
/// A query says first what is wanted: `events`, or the `systems`, `components` or `entities` that they
/// are about, or the `durations` of systems. Of the events, those count for which all terms of `all`
/// hold, one of those of `any`, if there are any, and none of those of `none`. Each of the three may be
/// there once, in any order; the word `where` before them may be left out.
///
/// | Term | holds for events |
/// |---|---|
/// | `created`, `destroyed`, `added`, `replaced`, `removed`, `linked`, `unlinked`, `willInit`, `didInit`, `willExec`, `didExec`, `willCleanup`, `didCleanup`, `willTeardown`, `didTeardown`, `infoLog`, `errorLog` | of this kind |
/// | `component:Score` | of a component, or of links of a relation |
/// | `system:Referee` | of a system, or made by it |
/// | `observer:menu` | made by an observer |
/// | `cause:import` | made by anything of this name: a section, a system or an observer |
/// | `loop:game` | of systems of a loop, or made by them |
/// | `context:Game` | of a context |
/// | `entity:3.1`, `entity:3` | of an entity, by its slot and generation, or by its slot |
/// | `key:ada` | of entities with a key; see ``EventLog`` |
/// | `group:enemies` | of entities that were in a group at the end of the commit; see ``EventLog`` |
/// | `info:"no route"` | with a text that contains this |
/// | `event:10..20`, `tick:7`, `commit:100..` | with numbers in a range, ends included |
///
/// Names with other characters than letters, digits and `_ . < > # / @ $ + *` stand in quotes, in which `\"`
/// and `\\` stand for what would end the text. A dash, as in `system:-`, holds for events without.
public struct EventQuery: Hashable, Sendable {
  /// What is wanted.
  public enum Subject: String, Hashable, Sendable, CaseIterable {
    /// The events.
    case events

    /// The systems that they are of or that made them.
    case systems

    /// The components that they are of.
    case components

    /// The entities that they are of.
    case entities

    /// How long systems took.
    case durations
  }

  enum Term: Hashable, Sendable {
    case kind(EventKind)
    case component(String?)
    case system(String?)
    case observer(String?)
    case loop(String?)
    case cause(String?)
    case context(String)
    case entity(slot: UInt32, generation: UInt32?)
    case noEntity
    case key(String?)
    case group(String)
    case info(String?)
    case event(ClosedRange<UInt64>)
    case tick(ClosedRange<UInt64>)
    case commit(ClosedRange<UInt64>)
  }

  /// What is wanted.
  public let subject: Subject

  let all: [Term]
  let any: [Term]
  let none: [Term]

  /// Reads a query.
  ///
  /// - Throws: ``EventQueryError``, with the position of what is wrong.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(_ text: String) throws(EventQueryError) {
    var parser = EventQueryParser(text)
    let (subject, clauses) = try parser.parse()
    self.subject = subject
    all = clauses["all"] ?? []
    any = clauses["any"] ?? []
    none = clauses["none"] ?? []
  }
}

/// The kinds of events in an ``EventLog``.
public enum EventKind: String, Hashable, Sendable, CaseIterable {
  /// An entity was created; its components are told as added.
  case created

  /// An entity was destroyed, after its components were told as removed.
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

  /// Somebody wrote a text; see ``EventLog/info(_:entity:)``.
  case infoLog

  /// Somebody wrote the text of an error, or a system threw.
  case errorLog

  /// Its place among the cases.
  var number: UInt8 { EventKind.numbers[self] ?? 0 }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, UInt8($0)) })
}

/// What is wrong with the text of an ``EventQuery``.
public struct EventQueryError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// It does not begin with what is wanted; with what is there.
    case unknownSubject(String)

    /// Something is there that is no part of a query, or more than a query; with what.
    case unexpected(String)

    /// The text ends where something was expected; with what.
    case expected(String)

    /// A part is there twice; with its name.
    case repeated(String)

    /// A part has no terms; with its name.
    case empty(String)

    /// Nothing is known by the name of a term; with the name.
    case unknownTerm(String)

    /// A term has no value; with its name.
    case missingValue(String)

    /// A text in quotes does not end.
    case unterminatedText

    /// A number is none, or is too large; with its text.
    case invalidNumber(String)

    /// A range ends before it begins; with its text.
    case invalidRange(String)
  }

  /// What is wrong.
  public let reason: Reason

  /// Where, as the number of characters before it.
  public let position: Int
}

extension EventQueryError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let what =
      switch reason {
      case .unknownSubject(let word):
        "'\(word)' cannot be asked for: begin with \(EventQuery.Subject.allCases.map(\.rawValue).joined(separator: ", "))"
      case .unexpected(let word): "'\(word)' is not expected here"
      case .expected(let what): "\(what) is missing"
      case .repeated(let name): "'\(name)' is there twice"
      case .empty(let name): "'\(name)' has no terms"
      case .unknownTerm(let name): "there is no term '\(name)'"
      case .missingValue(let name): "'\(name):' has no value"
      case .unterminatedText: "a text in quotes does not end"
      case .invalidNumber(let text): "'\(text)' is no number that can be meant here"
      case .invalidRange(let text): "the range '\(text)' ends before it begins"
      }
    return "at \(position): \(what)"
  }
}
