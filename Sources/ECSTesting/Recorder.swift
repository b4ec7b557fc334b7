import Dispatch
public import ECS

/// A record of what happened, in order, from any number of threads.
///
/// A recorder observes for you, and keeps the tokens of its observations: they end with it, or with
/// ``stop()``.
///
/// ```swift
/// let changes = Recorder(of: context.group(Order.matcher))
/// order.set(Order(quantity: 2))
/// try changes.expect([.updated(order, Order.cid)])
///
/// let titles = Recorder<String?>()
/// titles.record(article) { $0.get(Title.self)?.text }
/// ```
///
/// Anything else that calls a closure can be recorded with ``append(_:)``.
public final class Recorder<Item: Sendable> {
  private let guardian = DispatchQueue(label: "ECSTesting.Recorder")
  private var recorded: [Item] = []
  private var tokens: [Subscription] = []

  /// Makes a recorder that has recorded nothing.
  public init() {}

  /// What was recorded.
  public var items: [Item] { guardian.sync { recorded } }

  /// The number of items.
  public var count: Int { guardian.sync { recorded.count } }

  /// Records an item.
  public func append(_ item: Item) {
    guardian.sync { recorded.append(item) }
  }

  /// Takes out what was recorded.
  public func take() -> [Item] {
    guardian.sync {
      defer { recorded = [] }
      return recorded
    }
  }

  /// Keeps an observation going as long as the recorder is kept, or until ``stop()``.
  public func keep(_ token: Subscription) {
    guardian.sync { tokens.append(token) }
  }

  /// Ends all observations.
  ///
  /// What was recorded stays.
  public func stop() {
    let ended = guardian.sync {
      defer { tokens = [] }
      return tokens
    }
    for token in ended { token.cancel() }
  }
}

// Guarded by its queue.
extension Recorder: @unchecked Sendable {}

extension Recorder {
  /// Records something about a source after each outermost change that concerns it.
  ///
  /// - Parameters:
  ///   - source: An entity, a group, a live view, or anything else that can be observed as a whole.
  ///   - initial: Whether to record something at once, too.
  ///   - makeItem: Makes an item from what observers are given, in the context's critical section.
  public func record<Source: ChangeSource>(
    _ source: Source, initial: Bool = false,
    _ makeItem: @escaping @Sendable (Source.Notice) -> Item
  ) {
    keep(source.observe(initial: initial) { [weak self] in self?.append(makeItem($0)) })
  }
}

extension Recorder<Change> {
  /// Makes a recorder of the single changes of a group or an entity, including an entity's
  /// destruction.
  public convenience init(
    of source: some SingleChangeSource, _ kinds: ChangeKinds = .addedUpdatedOrRemoved
  ) {
    self.init()
    record(source, kinds)
  }

  /// Also records the single changes of a group or an entity, including an entity's destruction.
  public func record(
    _ source: some SingleChangeSource, _ kinds: ChangeKinds = .addedUpdatedOrRemoved
  ) {
    keep(source.observeChanges(kinds) { [weak self] in self?.append($0) })
  }
}

/// Records what systems do, as the logger of a loop.
extension Recorder: SystemLogger where Item == String {
  /// Records it.
  public func willInit(_ name: String) { append("will init \(name)") }

  /// Records it.
  public func didInit(_ name: String) { append("did init \(name)") }

  /// Records it.
  public func willExecute(_ name: String) { append("will execute \(name)") }

  /// Records it.
  public func didExecute(_ name: String) { append("did execute \(name)") }

  /// Records it.
  public func willCleanup(_ name: String) { append("will clean \(name)") }

  /// Records it.
  public func didCleanup(_ name: String) { append("did clean \(name)") }

  /// Records it.
  public func willTeardown(_ name: String) { append("will end \(name)") }

  /// Records it.
  public func didTeardown(_ name: String) { append("did end \(name)") }

  /// Records it.
  public func didFail(_ name: String, _ error: any Error) { append("\(name) threw \(error)") }
}
