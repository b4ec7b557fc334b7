#if SQLite
  import ECS

  /// A condition that entities have to fulfil.
  ///
  /// ```swift
  /// try books.fetch(where: { $0.pages >= 200 && ($0.title.hasPrefix("A") || $0[\Rating.stars] > 3) })
  /// ```
  ///
  /// As in SQL, a comparison with what is not there is neither true nor false, and so is its
  /// negation: entities without a rating are found neither by `$0[\Rating.stars] > 3` nor by
  /// `!($0[\Rating.stars] > 3)`. Equality takes nil as a value: `$0.published == nil`.
  public struct Condition: Sendable {
    indirect enum Node: Sendable {
      case all
      case test(FieldTest)
      case related(RelationTest)
      case and(Node, Node)
      case or(Node, Node)
      case not(Node)
    }

    let node: Node

    init(_ node: Node) { self.node = node }

    /// All entities of a table.
    public static var all: Condition { Condition(.all) }

    /// Entities that fulfil both conditions; the second is not asked if the first is false.
    public static func && (left: Condition, right: Condition) -> Condition {
      Condition(.and(left.node, right.node))
    }

    /// Entities that fulfil one of two conditions, or both.
    public static func || (left: Condition, right: Condition) -> Condition {
      Condition(.or(left.node, right.node))
    }

    /// Entities that do not fulfil a condition.
    public static prefix func ! (one: Condition) -> Condition { Condition(.not(one.node)) }
  }

  /// A comparison of a field.
  struct FieldTest: Sendable {
    enum Operation: Sendable {
      case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, isIn, hasPrefix, contains,
        like
    }

    let component: CID
    let keyPath: any AnyKeyPath & Sendable
    let operation: Operation

    /// What the field is compared with.
    let operand: Operand

    enum Operand: Sendable {
      /// Nothing: whether there is the component.
      case presence

      /// A text, or a part of one.
      case text(String)

      /// Values, as they stand in a column of a table.
      case values(@Sendable (Int, TableDefinition) throws(TransformFailure) -> [RowValue])
    }

    /// Nil if it is neither true nor false.
    let evaluate: @Sendable (Entity) -> Bool?
  }

  /// Whether an entity is linked to another one.
  struct RelationTest: Sendable {
    let relation: any Relation.Type
    let target: Entity
    let evaluate: @Sendable (Entity) -> Bool
  }

  extension Condition {
    /// Whether an entity fulfils it.
    func holds(for entity: Entity) -> Bool { Condition.value(of: node, for: entity) ?? false }

    /// The logic of three values that SQL has.
    private static func value(of node: Node, for entity: Entity) -> Bool? {
      switch node {
      case .all: return true
      case .test(let test): return test.evaluate(entity)
      case .related(let test): return test.evaluate(entity)
      case .not(let one): return value(of: one, for: entity).map { !$0 }
      case .and(let left, let right):
        let first = value(of: left, for: entity)
        if first == false { return false }
        let second = value(of: right, for: entity)
        if second == false { return false }
        return first == nil || second == nil ? nil : true
      case .or(let left, let right):
        let first = value(of: left, for: entity)
        if first == true { return true }
        let second = value(of: right, for: entity)
        if second == true { return true }
        return first == nil || second == nil ? nil : false
      }
    }
  }
#endif
