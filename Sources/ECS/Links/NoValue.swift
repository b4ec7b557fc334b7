/// The type of the values of links that have none: there is no such value.
public enum NoValue: Sendable {}
