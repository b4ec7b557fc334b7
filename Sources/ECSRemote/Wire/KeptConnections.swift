import Dispatch
import Sockets

/// Connections that wait for further requests to the same places, for a while.
// All of it is used on one queue, that of the loop. It is a class of its own so that what waits for
// time to pass has it, and not the loop, which can go.
final class KeptConnections: @unchecked Sendable {
  private struct Kept {
    let socket: Socket
    let since: ContinuousClock.Instant
  }

  /// How long a connection is kept without use; servers usually end it after five seconds to
  /// minutes.
  private static let longestRest = Duration.seconds(30)
  private static let largestCount = 8

  private var kept: [Origin: [Kept]] = [:]
  private var isDropAwaited = false

  /// Keeps a connection; of too many to a place, the oldest goes.
  func keep(_ socket: Socket, for origin: Origin) {
    var list = kept[origin] ?? []
    if list.count >= KeptConnections.largestCount { list.removeFirst() }
    list.append(Kept(socket: socket, since: .now))
    kept[origin] = list
  }

  /// A connection to a place, which the server has not ended; it is kept no longer.
  func take(for origin: Origin) -> Socket? {
    dropOld()
    while let last = kept[origin]?.popLast() {
      if last.socket.isQuiet { return last.socket }
    }
    return nil
  }

  func dropAll() { kept = [:] }

  /// Drops connections when they have waited too long, on a queue that may be idle until then.
  func dropOld(later queue: DispatchQueue) {
    dropOld()
    guard !kept.isEmpty, !isDropAwaited else { return }
    isDropAwaited = true
    queue.asyncAfter(deadline: .now() + 31) {
      self.isDropAwaited = false
      self.dropOld(later: queue)
    }
  }

  private func dropOld() {
    let moment = ContinuousClock.now - KeptConnections.longestRest
    for (origin, list) in kept {
      let rest = list.filter { $0.since > moment }
      kept[origin] = rest.isEmpty ? nil : rest
    }
  }
}
