/// A world of entities: makes them, finds them, and notifies their observers.
///
/// ```swift
/// let context = Context()
/// let player = context.createEntity(with: Position(x: 1, y: 2), Velocity(dx: 1, dy: 0))
/// for entity in context.group(Position.matcher) { print(entity) }
/// ```
///
/// Everything can be called from any thread, and every call is atomic. To make several calls one,
/// use ``perform(_:)``. A thread that works with two contexts should use them one at a time, or
/// always nest their sections in the same order.
///
/// When the last reference to a context is released, its entities end silently: their handles are
/// dead, and remaining groups, indexes and collectors are empty.
public final class Context: Sendable {
  /// A name for descriptions and logs.
  public let name: String

  @usableFromInline
  let core: Core

  let state: ContextState

  /// Makes an empty context.
  ///
  /// - Parameter name: A name for descriptions and logs.
  public init(name: String = "Context") {
    self.name = name
    core = CorePool.take()
    state = ContextState(core: core)
    core.begin(for: state)
    core.section { state.context = self }
  }

  deinit {
    guard let reading = core.runningReading else { return core.end() }
    reading.runAfterwards { [core] in core.end() }
  }

  /// Makes several calls one atomic section.
  ///
  /// Other threads wait until the body returns. Notifications are delivered when the outermost
  /// section ends. Inside, calls pay almost nothing for locking, so this is also the fast form of
  /// any loop over many entities.
  ///
  /// ```swift
  /// context.perform {
  ///   for entity in entities { entity.update(Health.self) { $0.points += 1 } }
  /// }
  /// ```
  ///
  /// If the body throws, nothing is rolled back: changes that it made before stay. For the
  /// opposite, use ``transaction(_:)``.
  @inlinable
  @discardableResult
  public func perform<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.userSection(body)
  }
}

extension Context {
  /// Makes several calls that only read one atomic section, beside other threads that read.
  ///
  /// Nothing changes until the body returns. Threads that change the context wait for it, but those
  /// that only read don't: neither those in such a section of their own nor single calls that read,
  /// such as ``Entity/get(_:)``. So this is the form for long passes: inside,
  /// ``EntitySource/withEach(_:)`` and the other iterations with nothing `inout`, loops over
  /// groups, look-ups in indexes, and readings of views, aggregates and related entities keep no
  /// reader out.
  ///
  /// ```swift
  /// let total = context.reading {
  ///   var total = 0
  ///   accounts.withEach { (_, balance: Balance) in total += balance.cents }
  ///   return total
  /// }
  /// ```
  ///
  /// A thread that wants to change the context comes next: readers that come later wait for it. So
  /// don't wait inside for another thread that uses the context.
  /// Inside of another section of the same thread, such as ``perform(_:)``, this is a part of that,
  /// and other threads wait.
  ///
  /// Sorted groups and views, ordered indexes and aggregates keep what they find out, so that
  /// threads take turns with single calls of these. ``EntitySource/withChunksInParallel(_:)`` uses
  /// one thread. See <doc:Concurrency>.
  ///
  /// - Parameter body: Reads.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  /// - Complexity: O(1), besides the body.
  /// - Precondition: The body doesn't change the context, call ``perform(_:)``, begin or end
  ///   observing, or make indexes and collectors: that stops with a message. Inside of another
  ///   section of the same thread, what a closure of keys or a filter must not do stops: changes
  ///   of entities, transactions, pictures, pausing indexes and ``compact()``. Releasing the last
  ///   reference to one of these objects takes effect when the section has ended.
  @inlinable
  @discardableResult
  public func reading<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let section = ReadingSection(core)
    defer { section.end() }
    return try body()
  }
}

extension Context {
  /// Makes several calls one atomic section that has a name.
  ///
  /// As ``perform(_:)``. The name is the ``Cause`` that journals tell of the changes that the body
  /// makes; it is not even computed unless there is one.
  ///
  /// ```swift
  /// context.perform("import orders") {
  ///   for order in orders { add(order) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - file: Where this is called.
  ///   - line: Where this is called.
  ///   - body: Makes the changes.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  @inlinable
  @discardableResult
  public func perform<Result, Failure: Error>(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: Int = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let section = NamedSection(core, name, file, line)
    defer { section.end() }
    return try body()
  }

  /// Begins what ``perform(_:file:line:_:)`` is about its body.
  package func beginSection(_ name: String, _ file: StaticString, _ line: Int) -> NamedSection {
    NamedSection(core, { name }, file, line)
  }
}

extension Context {
  /// Whether the running thread is in a critical section of the context.
  ///
  /// That is in the body of ``perform(_:)``, ``reading(_:)`` and of what is like them, in an
  /// iteration by closures or chunks, in an observer that is called when a section ends, and in any
  /// other closure that the context calls while others have to wait. For code that takes locks of
  /// its own, or waits for other threads: called there, it might wait for a thread that waits for
  /// the context.
  ///
  /// ```swift
  /// func save() {
  ///   assert(!context.isInSection, "save() waits for the disk: call it when the section has ended.")
  ///   // ...
  /// }
  /// ```
  ///
  /// - Complexity: O(1). It never waits.
  public var isInSection: Bool { core.isInSection }

  /// Whether other threads wait for the context.
  ///
  /// For long work in critical sections that can be cut: it goes on as one section, and so as one
  /// notice to observers, until a thread has waited for long enough, and ends the section only
  /// then. Threads that came within the last microsecond may not show yet, and one that has just
  /// got its turn may still.
  ///
  /// ```swift
  /// while !rows.isEmpty {
  ///   context.perform {
  ///     let end = ContinuousClock.now + .milliseconds(2)
  ///     repeat { add(rows.removeLast()) }
  ///     while !rows.isEmpty && !(context.isAwaited && ContinuousClock.now > end)
  ///   }
  /// }
  /// ```
  ///
  /// - Complexity: O(1). It never waits.
  public var isAwaited: Bool { core.pointer.pointee.lock.isAwaited }

  /// A section that reads: a part of the one of this thread that only reads, or else one as
  /// ``perform(_:)``.
  package func sectionToRead<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if core.runningReading != nil { return try body() }
    return try perform(body)
  }

  /// How many signals to threads that wait for the context have not arrived yet.
  ///
  /// For tests, which show that they do not gather.
  package var signalsUnderway: Int { core.pointer.pointee.lock.signalsUnderway }

  /// Stops, in builds for debugging, if the caller is in a section of the context: asked before all
  /// code that may take locks of others.
  package func assertIsNotInSection() { core.assertIsFree() }

  #if InternalChecks
    /// Puts something wrong inside the context: the next change stops.
    package func plant(_ contradiction: PlantedCorruption) {
      core.section { core.plant(contradiction) }
    }
  #endif
}

extension Context: CustomStringConvertible {
  /// The name and the numbers of entities and groups.
  public var description: String {
    let statistics = statistics
    return "\(name) (\(statistics.entities) entities, \(statistics.groups) groups)"
  }
}

extension Context {
  /// Frees the memory that no entity uses.
  ///
  /// This includes tables without entities, and space that storage keeps for future entities, here
  /// and from contexts that are gone; with the C library glibc, also what the process has freed.
  /// The slots of destroyed entities are kept for reuse.
  ///
  /// Storage reclaims empty tables by itself when many others are made and they do not come back,
  /// as <doc:Memory> describes; call this after a large, temporary load. Does nothing inside
  /// an iteration or a ``transaction(_:)``. Inside a ``perform(_:)`` the system gets the memory
  /// back when that ends: it is not asked while the context is locked.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities.
  public func compact() {
    core.section {
      core.checkMode()
      core.graph.compact()
    }
  }
}
