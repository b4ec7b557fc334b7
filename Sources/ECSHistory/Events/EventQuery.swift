/// A question to an ``EventLog``, in the query language of EntitasKit.
///
/// ```text
/// events where all(added component:Score) none(system:Referee)
/// entities where any(created destroyed) all(tick:10..20)
/// durations where all(system:Layout)
/// ```
///
/// A query says first what is wanted: `events`, or the `systems`, `components` or `entities` that
/// they are about, or the `durations` of systems. Of the events, those count for which all terms of
/// `all` hold, one of those of `any`, if there are any, and none of those of `none`. Each of the
/// three may be there once, in any order; the word `where` before them may be left out.
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
/// Names with other characters than letters, digits and `_ . < > # / @ $ + *` stand in quotes, in
/// which `\"` and `\\` stand for what would end the text. A dash, as in `system:-`, holds for
/// events without.
public struct EventQuery: Hashable, Sendable {
  /// The subject of a query: what is wanted.
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
