import ECS
import ECSRecipes
import ECSSnapshots

/// The types of the programs that mix everything.
enum Mixed {
  /// What each entity has, and keeps.
  struct Node: Component, Equatable {}
  struct Value: Component, Equatable { var value: Int }

  /// Twice the value, as an observer keeps it.
  struct Derived: Component, Equatable { var value: Int }
  struct Base: Component, Equatable { var value: Int }
  struct Mid: Component, Equatable {
    var value: Int
    static var requires: Requirement { Base(value: 10) }
  }
  struct Side: Component, Equatable { var value: Int }
  struct Top: Component, Equatable {
    var value: Int
    static var requires: Requirement {
      Mid(value: 20)
      Requirement(Side(value: 30), whenRemoved: .cascades)
    }
  }
  struct Core: Component, Equatable { var value: Int }
  struct Firm: Component, Equatable {
    var value: Int
    static var requires: Requirement { Requirement(Core(value: 5), whenRemoved: .refused) }
  }
  struct Only: UniqueComponent, Equatable { var value: Int }
  struct Aim: EntityReferencing, Equatable {
    var target: Entity?
    mutating func mapEntities(_ map: (Entity) -> Entity) { target = target.map(map) }
  }

  struct Role: EntityReferencing, Equatable {
    var value: Int
    var by: Entity?
    mutating func mapEntities(_ map: (Entity) -> Entity) { by = by.map(map) }
  }
  struct Share: Component, Equatable { var value: Int }

  enum MemberOf: Relation { typealias Value = Role }
  enum Leads: OneToOneRelation { typealias Value = Share }
  enum LineOf: ToOneRelation {}
  enum OrderedBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }
  enum Tagged: Relation { static let copyRule = CopyRule.keepAmongCopies }
  enum Under: Hierarchy {
    typealias Value = Share
    static let deleteRule = DeleteRule.deny
    static let copyRule = CopyRule.omit
  }

  /// Links of what has a value to itself, as an observer keeps them.
  enum Echo: ToOneRelation {
    typealias Value = Share
    static let copyRule = CopyRule.omit
  }

  enum Kind: Int, CaseIterable {
    case node, value, derived, base, mid, side, top, core, firm, only, aim, instance
  }

  enum Link: Int, CaseIterable {
    case child, member, leads, line, order, tag, under, echo

    /// Those that programs change.
    static let changed = allCases.dropLast()

    var type: any Relation.Type {
      switch self {
      case .child: ChildOf.self
      case .member: MemberOf.self
      case .leads: Leads.self
      case .line: LineOf.self
      case .order: OrderedBy.self
      case .tag: Tagged.self
      case .under: Under.self
      case .echo: Echo.self
      }
    }
    var isToOne: Bool { ![.member, .tag].contains(self) }
    var isOneToOne: Bool { self == .leads }
    var isHierarchy: Bool { self == .child || self == .under }
    var hasValue: Bool { [.member, .leads, .under, .echo].contains(self) }
    var cascades: Bool { self == .child || self == .order }
  }

  static let templates = [leaf, tree, big]
  static let names: [TemplateName] = ["mixed leaf", "mixed tree", "mixed big"]
  private static let leaf = Template(names[0]) {
    Node()
    Value(value: 3)
  }
  private static let tree = Template(names[1]) {
    Node()
    Top(value: 1)
    Child(leaf)
    Child(by: LineOf.self) {
      Node()
      Value(value: 5)
    }
    Child(leaf, by: MemberOf.self, Role(value: 4))
  }
  private static let big = Template(tree, names[2]) {
    Value(value: 7)
    Child(tree)
  }

  static func schema() throws -> Schema {
    try Schema("mixed") {
      Stored(of: Node(), as: "node")
      Stored(of: Value(value: 0), as: "value") { Field(\.value, at: "value") }
      Stored(of: Derived(value: 0), as: "derived") { Field(\.value, at: "value") }
      Stored(of: Base(value: 0), as: "base") { Field(\.value, at: "value") }
      Stored(of: Mid(value: 0), as: "mid") { Field(\.value, at: "value") }
      Stored(of: Side(value: 0), as: "side") { Field(\.value, at: "value") }
      Stored(of: Top(value: 0), as: "top") { Field(\.value, at: "value") }
      Stored(of: Core(value: 0), as: "core") { Field(\.value, at: "value") }
      Stored(of: Firm(value: 0), as: "firm") { Field(\.value, at: "value") }
      Stored(of: Only(value: 0), as: "only") { Field(\.value, at: "value") }
      Stored(of: Aim(), as: "aim") { Field(\.target, at: "target") }
      Stored(InstanceOf.self, as: "instance")
      Links(ChildOf.self, as: "child")
      Links(
        MemberOf.self, as: "member",
        values: Stored(of: Role(value: 0), as: "role") {
          Field(\.value, at: "value")
          Field(\.by, at: "by")
        })
      Links(Leads.self, as: "leads", values: share("leadsShare"))
      Links(LineOf.self, as: "line")
      Links(OrderedBy.self, as: "order")
      Links(Tagged.self, as: "tag")
      Links(Under.self, as: "under", values: share("underShare"))
      Links(Echo.self, as: "echo", values: share("echoShare"))
    }
  }

  private static func share(_ name: String) -> Stored<Share> {
    Stored(of: Share(value: 0), as: name) { Field(\.value, at: "value") }
  }
}
