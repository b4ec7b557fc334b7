extension Entity {
  /// The context that the entity lives in; nil if it is dead.
  public var context: Context? {
    core.read { core.isAlive(handle) ? core.client?.context : nil }
  }
}

extension Entity {
  /// Whether the slot is one of a context that lives; asks neither for its lock nor whether the
  /// entity is alive.
  package func belongs(to context: Context) -> Bool { core == context.core }

  /// Destroys the entity: now, or when the section has ended that this thread is in.
  ///
  /// For deinitializers, which may run where nothing may change.
  package func destroyWhenFree() { core.runWhenFree { destroy() } }
}
