import ECS
import Foundation

/// Tells in the state of an entity how far a request about it has come, not more often than is
/// wanted.
// Guarded by its lock; the context is asked without it.
final class ProgressMeter: @unchecked Sendable {
  private let requests: RemoteRequests
  private let entity: Entity
  private let interval: Duration
  private let lock = NSLock()
  private var progress: RemoteState.Progress
  private var told: RemoteState.Progress?
  private var last: Duration?
  private var isAwaited = false
  private var isOver = false

  init(_ requests: RemoteRequests, _ entity: Entity, every interval: Duration, sending total: Int) {
    (self.requests, self.entity, self.interval) = (requests, entity, max(interval, .zero))
    progress = RemoteState.Progress(sent: 0, toSend: total, received: 0, toReceive: nil)
  }

  func sent(_ count: Int) { note { $0.sent = max($0.sent, count) } }

  func expect(_ total: Int?) { note { $0.toReceive = total } }

  func received(_ count: Int) { note { $0.received = count } }

  /// There is nothing more to tell.
  func end() { lock.withLock { isOver = true } }

  private func note(_ change: (inout RemoteState.Progress) -> Void) {
    let now = requests.configuration.clock.now()
    let wait = lock.withLock { () -> Duration? in
      change(&progress)
      if isAwaited || isOver { return nil }
      let wait = last.map { max($0 + interval - now, .zero) } ?? .zero
      isAwaited = wait > .zero
      return wait
    }
    guard let wait else { return }
    if wait == .zero { return tell(at: now) }
    // The last of several is reported, too, if it is the last for long.
    requests.configuration.clock.run(wait, .global()) { [weak self] in
      guard let self else { return }
      self.tell(at: self.requests.configuration.clock.now())
    }
  }

  private func tell(at now: Duration) {
    requests.context.perform("remote") {
      let next = lock.withLock { () -> RemoteState.Progress? in
        (last, isAwaited) = (now, false)
        guard !isOver, told != progress else { return nil }
        told = progress
        return progress
      }
      guard let next, entity.isHere(in: requests.context),
        var loading = entity.get(RemoteState.Loading.self)
      else { return }
      loading.progress = next
      entity.setIfChanged(loading)
    }
  }
}
