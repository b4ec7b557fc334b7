import Foundation

/// Recipes by name, for any thread.
///
/// ```swift
/// let box = RecipeBox()
/// try box.add(users)
/// box["user"]
/// ```
public final class RecipeBox: Sendable {
  /// A change of a box.
  public enum Event: Sendable, Equatable {
    /// A recipe was added.
    case added(Recipe)

    /// A recipe was removed.
    case removed(Recipe)
  }

  /// Why a recipe was not added.
  public enum AddError: Error, Sendable, Hashable {
    /// The recipe has no name.
    case unnamed

    /// Another recipe has the name.
    case duplicate(name: String)
  }

  /// An observation that lasts as long as this token is kept.
  public final class Observation: Sendable {
    private let box: RecipeBox
    private let number: Int

    init(_ box: RecipeBox, _ number: Int) {
      self.box = box
      self.number = number
    }

    deinit { cancel() }

    /// Ends the observation.
    public func cancel() { box.endObservation(number) }
  }

  private struct State {
    var recipes: [String: Recipe] = [:]
    var names: [String] = []
    var observers: [(number: Int, body: @Sendable (Event) -> Void)] = []
    var nextNumber = 0
    var events: [Event] = []
    var isDelivering = false
  }

  private let lock = NSLock()

  // Guarded by `lock`.
  @safe nonisolated(unsafe) private var state = State()

  /// Makes an empty box.
  public init() {}

  /// Adds a recipe.
  ///
  /// - Throws: ``AddError`` if the recipe has no name, or the box has one of that name.
  /// - Complexity: O(1) on average, and O(1) for each observer.
  public func add(_ recipe: Recipe) throws(AddError) {
    let failure = lock.withLock { () -> AddError? in
      if recipe.name.isEmpty { return .unnamed }
      if state.recipes[recipe.name] != nil { return .duplicate(name: recipe.name) }
      state.recipes[recipe.name] = recipe
      state.names.append(recipe.name)
      state.events.append(.added(recipe))
      return nil
    }
    if let failure { throw failure }
    deliver()
  }

  /// Removes a recipe.
  ///
  /// - Returns: The recipe; nil if there is none of that name.
  /// - Complexity: O(*n*), where *n* is the number of recipes.
  @discardableResult
  public func remove(_ name: String) -> Recipe? {
    let recipe = lock.withLock { () -> Recipe? in
      guard let recipe = state.recipes.removeValue(forKey: name) else { return nil }
      state.names.removeAll { $0 == name }
      state.events.append(.removed(recipe))
      return recipe
    }
    deliver()
    return recipe
  }

  /// The recipe with a name; nil if there is none.
  public subscript(name: String) -> Recipe? { lock.withLock { state.recipes[name] } }

  /// The names, in the order in which the recipes were added.
  public var names: [String] { lock.withLock { state.names } }

  /// The number of recipes.
  public var count: Int { lock.withLock { state.names.count } }

  /// Calls a closure after each change, one at a time and in order.
  ///
  /// It runs on a thread that changes the box, which may not be the one that made this change, and
  /// may change the box itself; it is called for that afterwards.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Observation {
    let number = lock.withLock {
      state.nextNumber += 1
      state.observers.append((state.nextNumber, body))
      return state.nextNumber
    }
    return Observation(self, number)
  }

  private func endObservation(_ number: Int) {
    // Released outside the lock: the closure may own anything.
    let ended = lock.withLock {
      let ended = state.observers.filter { $0.number == number }
      state.observers.removeAll { $0.number == number }
      return ended
    }
    withExtendedLifetime(ended) {}
  }

  /// Tells observers what happened, unless another call is about it: then that one goes on.
  private func deliver() {
    let mayDeliver = lock.withLock {
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard mayDeliver else { return }
    while let (event, numbers) = nextEvent() {
      for number in numbers { observer(number)?(event) }
    }
  }

  private func nextEvent() -> (Event, [Int])? {
    lock.withLock {
      guard !state.events.isEmpty else {
        state.isDelivering = false
        return nil
      }
      return (state.events.removeFirst(), state.observers.map(\.number))
    }
  }

  /// The observer, if it was not ended meanwhile.
  private func observer(_ number: Int) -> (@Sendable (Event) -> Void)? {
    lock.withLock { state.observers.first { $0.number == number }?.body }
  }
}
