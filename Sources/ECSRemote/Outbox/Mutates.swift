public import ECS

/// From a mutation to the entity that it is about, as long as that lives.
public enum Mutates: ToOneRelation {}
