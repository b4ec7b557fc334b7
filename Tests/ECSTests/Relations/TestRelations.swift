import ECS

enum TaggedWith: Relation {}

enum WrittenBy: ToOneRelation {}

enum MarriedTo: OneToOneRelation {}

enum PaidBy: ToOneRelation {
  static let deleteRule = DeleteRule.deny
}

enum PartOf: ToOneRelation {
  static let deleteRule = DeleteRule.cascade
}
