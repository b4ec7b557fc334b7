import ECS
import ECSTestSupport

/// The works of a system: they wait until they are released.
actor Works {
  private(set) var log: [Entity] = []
  private(set) var peak = 0
  private(set) var overlaps = 0
  private var running: [Entity: Int] = [:]
  private var failuresLeft: [Entity: Int] = [:]
  private var cancellable: Set<Entity> = []
  private var isReleased = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func work(on entity: Entity) async throws {
    begin(entity)
    defer { running[entity, default: 0] -= 1 }
    if !isReleased { await withCheckedContinuation { held.append($0) } }
    if cancellable.contains(entity) { try Task.checkCancellation() }
    if let left = failuresLeft[entity], left > 0 {
      failuresLeft[entity] = left - 1
      throw Refusal()
    }
  }

  /// A work that takes a while, and fails the first time if it is to.
  func attempt(_ entity: Entity, fails: Bool) async throws {
    begin(entity)
    defer { running[entity, default: 0] -= 1 }
    await Task.yield()
    if fails, failuresLeft.updateValue(0, forKey: entity) == nil { throw Refusal() }
  }

  private func begin(_ entity: Entity) {
    log.append(entity)
    running[entity, default: 0] += 1
    if running[entity, default: 0] > 1 { overlaps += 1 }
    peak = max(peak, running.values.reduce(0, +))
    if let awaited, log.count >= awaited.count {
      self.awaited = nil
      awaited.continuation.resume()
    }
  }

  func fail(_ entity: Entity, times: Int) { failuresLeft[entity] = times }

  /// Lets the work on an entity throw if it was cancelled.
  func cancelled(_ entity: Entity) { cancellable.insert(entity) }

  func release() {
    isReleased = true
    for continuation in held { continuation.resume() }
    held = []
  }

  /// Waits until so many works have begun.
  func begun(_ count: Int) async {
    guard log.count < count else { return }
    await withCheckedContinuation { awaited = (count, $0) }
  }
}
