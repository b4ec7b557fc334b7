public import Dispatch

// The names that EntitasKit uses, so that the compiler tells a port what to write instead. None of
// them can be called. See the article "Coming from EntitasKit".

extension Entity {
  /// Where an entity comes in the order of creation.
  @available(*, unavailable, renamed: "creationNumber")
  public var creationIndex: Int { stop("Entity.creationIndex is now creationNumber.") }

  /// Passes components to a closure if the entity has them all.
  @available(*, unavailable, message: "Write `if let c = entity.get(C.self) { … }`.")
  public func with<each C: Component>(block: (repeat each C) -> Void) {}

  /// Adds an observer.
  @available(*, unavailable, message: "Call `observeChanges` with a closure, and keep the token.")
  public func observer(add observer: AnyObject) {}

  /// Removes an observer.
  @available(*, unavailable, message: "Cancel or release the token of `observeChanges`.")
  public func observer(remove observer: AnyObject) {}

  /// Sets a component.
  @available(*, unavailable, message: "Write `entity.set(component)`.")
  public static func += <C: Component>(entity: Entity, component: C) {}

  /// Removes a component.
  @available(*, unavailable, message: "Write `entity.remove(C.cid)` or `entity.remove(C.self)`.")
  public static func -= (entity: Entity, component: CID) {}

  /// Compares the order of creation.
  @available(
    *, unavailable, message: "Sort by `sortedByCreation()`, or compare values of `creationNumber`."
  )
  public static func < (left: Entity, right: Entity) -> Bool { false }
}

extension Context {
  /// Adds an observer.
  @available(*, unavailable, message: "Call `observeEvents` with a closure, and keep the token.")
  public func observer(add observer: AnyObject) {}

  /// Removes an observer.
  @available(*, unavailable, message: "Cancel or release the token of `observeEvents`.")
  public func observer(remove observer: AnyObject) {}

  /// Makes an index.
  @available(*, unavailable, renamed: "index(paused:key:)")
  public func index<C: Component, Key: Hashable & Sendable>(
    paused: Bool = false, keyBuilder: @escaping @Sendable (C) -> Key
  ) -> Index<Key> { stop("The argument keyBuilder of Context.index is now key.") }
}

extension Group {
  /// Adds an observer.
  @available(*, unavailable, message: "Call `observeChanges` with a closure, and keep the token.")
  public func observer(add observer: AnyObject) {}

  /// Removes an observer.
  @available(*, unavailable, message: "Cancel or release the token of `observeChanges`.")
  public func observer(remove observer: AnyObject) {}

  /// Sorts for an object.
  @available(
    *, unavailable, message: "Pass the object itself: `group.sorted(forObject: self) { … }`."
  )
  public func sorted(
    forObject object: ObjectIdentifier, by areInIncreasingOrder: (Entity, Entity) throws -> Bool
  ) rethrows -> [Entity] { [] }

  /// Visits entities in the order of their creation.
  @available(*, unavailable, message: "Write `group.sorted().withEach { … }`.")
  public func withEach<each C: Component>(sorted: Bool, block: (Entity, repeat each C) -> Void) {}
}

extension Collector {
  /// The kinds of changes to collect.
  @available(*, unavailable, renamed: "ChangeKinds")
  public typealias ChangeOptions = ChangeKinds

  /// Takes out what is collected.
  @available(*, unavailable, renamed: "drain()")
  public var collected: EntitySet { [] }

  /// Takes out what is collected and matches.
  @available(*, unavailable, renamed: "drainMatching()")
  public var collectedAndMatching: EntitySet { [] }

  /// Takes out one entity.
  @available(*, unavailable, renamed: "popFirst()")
  public var first: Entity? { nil }

  /// The matcher of the group.
  @available(*, unavailable, renamed: "group.matcher")
  public var matcher: Matcher { group.matcher }
}

extension ReactiveLoop {
  /// Makes a loop.
  @available(
    *, unavailable,
    message: """
      Write `ReactiveLoop(ctx:queue:delay:systems:logger:)`: the logger comes after the systems, and \
      the delay is a Duration such as `.milliseconds(500)`.
      """
  )
  public convenience init(
    ctx: Context, logger: (any SystemLogger)?, queue: DispatchQueue = .main, delay: Double? = nil,
    systems: [any System]
  ) { stop("The arguments of ReactiveLoop are now in another order.") }

  /// Makes a loop.
  @available(
    *, unavailable,
    message: "The delay is a Duration: write `delay: .milliseconds(500)` for half a second."
  )
  public convenience init(
    ctx: Context, queue: DispatchQueue = .main, delay: Double, systems: [any System]
  ) { stop("The delay of a ReactiveLoop is now a Duration.") }
}

/// Observes an entity.
@available(
  *, unavailable, message: "Call `entity.observeChanges` with a closure, and keep the token."
)
public protocol EntityObserver {}

/// Observes a group.
@available(
  *, unavailable, message: "Call `group.observeChanges` with a closure, and keep the token."
)
public protocol GroupObserver {}

/// Observes a context.
@available(
  *, unavailable, message: "Call `context.observeEvents` with a closure, and keep the token."
)
public protocol ContextObserver {}

/// What happened to an entity of a group.
@available(*, unavailable, renamed: "Change.Kind")
public typealias GroupEvent = Change.Kind

/// Follows what systems do.
@available(*, unavailable, renamed: "SystemLogger")
public typealias SystemExecuteLogger = SystemLogger

/// Compares entities.
@available(*, unavailable, message: "An entity is now a value: compare with `==`.")
public func === (left: Entity, right: Entity) -> Bool { false }

/// Compares entities.
@available(*, unavailable, message: "An entity is now a value: compare with `!=`.")
public func !== (left: Entity, right: Entity) -> Bool { false }
