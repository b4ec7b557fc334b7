/// A reactive system that gets only entities that are alive and match at the time of its run.
///
/// Collected entities that are dead or no longer match are dropped.
public protocol StrictReactiveSystem: ReactiveSystem {}
