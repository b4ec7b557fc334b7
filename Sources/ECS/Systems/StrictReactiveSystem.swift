/// A reactive system that gets only entities that are alive and match at the time of its run.
///
/// Collected entities that are dead or match no longer are dropped.
public protocol StrictReactiveSystem: ReactiveSystem {}
