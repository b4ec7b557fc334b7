public import ECS

/// From an entity that stands for a list to the members, in their order.
public enum ListMember: Relation {}
