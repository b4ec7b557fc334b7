import ECS
import Foundation

/// A call of `send` that waits for the broker.
class SendTicket {
  /// When the call was made.
  let start: Duration
  final private(set) var isFinished = false
  final private(set) var error: ClusterError?
  final private var left: Int
  final private var onEnd: ((Result<Void, ClusterError>) -> Void)?

  init(
    _ left: Int, at start: Duration, _ onEnd: ((Result<Void, ClusterError>) -> Void)?
  ) {
    (self.left, self.start, self.onEnd) = (left, start, onEnd)
  }

  /// Counts an event that is decided; the last one ends the call, or the first one that is not
  /// sent: the caller hears of it before others are taken.
  final func settle(_ failure: ClusterError? = nil) {
    left -= 1
    if left <= 0 || failure != nil { finish(failure) }
  }

  /// Ends the call; what is left of it is not waited for.
  final func finish(_ failure: ClusterError? = nil) {
    if isFinished { return }
    (isFinished, error) = (true, failure)
    onEnd?(error.map { .failure($0) } ?? .success(()))
    onEnd = nil
  }
}

/// A call with its events.
final class EventTicket<Event>: SendTicket {
  let events: [Event]

  init(
    _ events: [Event], at start: Duration, _ onEnd: ((Result<Void, ClusterError>) -> Void)?
  ) {
    self.events = events
    super.init(events.count, at: start, onEnd)
  }
}

/// An event that is to be sent.
// PERFORMANCE: it says where the event is and does not have it, so that what is done with each has
// no generic types, which would have to be found anew at each step.
struct PendingEvent {
  let ticket: SendTicket

  /// Which event of the call it is.
  let index: Int

  /// The number by which its producer identifies it; nil if it has none.
  let number: UInt64?
}

extension ArraySlice<PendingEvent> {
  /// The events themselves.
  func events<Event>(of type: Event.Type) -> [Event] {
    var events: [Event] = []
    events.reserveCapacity(count)
    var ticket: EventTicket<Event>?
    for pending in self {
      if pending.ticket !== ticket { ticket = pending.ticket as? EventTicket<Event> }
      if let ticket { events.append(ticket.events[pending.index]) }
    }
    return events
  }
}

/// The events that a partition is to be sent: one pack at a time, so that events stay in order.
struct PartitionQueue {
  var pending: [PendingEvent] = []
  private var head = 0

  /// The pack that is being sent, and the events in it.
  var pack: (pack: EventPack, events: ArraySlice<PendingEvent>)?

  /// Whether the pack may be there already, or may come late: it stays as it is until that is
  /// known.
  var isDoubtful = false

  var isEmpty: Bool { pack == nil && head == pending.count }
  var waitingCount: Int { pending.count - head }

  mutating func take(_ count: Int) -> ArraySlice<PendingEvent> {
    let end = waitingCount <= count ? pending.count : head + count
    // A copy, for with a part of it elsewhere, all that waits would be copied when more comes.
    let taken = Array(pending[head..<end])[...]
    head = end
    if head == pending.count {
      pending = []
      head = 0
    } else if head > 4096, head * 2 > pending.count {
      // Seldom, for what is left is copied.
      pending.removeFirst(head)
      head = 0
    }
    return taken
  }

  /// The first event that is not known to be there.
  var first: PendingEvent? { pack?.events.first ?? (head < pending.count ? pending[head] : nil) }

  /// The pack that is being sent is not there, and will not be: its events wait again.
  mutating func takeBackPack() {
    guard let events = pack?.events else { return }
    (pack, isDoubtful) = (nil, false)
    putBack(events)
  }

  /// Puts events before those that wait.
  mutating func putBack(_ events: ArraySlice<PendingEvent>) {
    pending = Array(events) + pending[head...]
    head = 0
  }

  /// Calls a closure with the calls that wait, the oldest first, until it gives false.
  func forEachTicket(_ body: (SendTicket) -> Bool) {
    for event in pack?.events ?? [] where !body(event.ticket) { return }
    for event in pending[head...] where !body(event.ticket) { return }
  }

  /// Why the first of the calls ended that have and still wait here.
  var firstFailure: ClusterError? {
    pending[head...].first { $0.ticket.isFinished && $0.ticket.error != nil }?.ticket.error
  }

  /// Takes out what waits and is not to be sent; gives it.
  mutating func remove(
    _ isGone: (PendingEvent) -> Bool
  ) -> [PendingEvent] {
    var (left, gone): ([PendingEvent], [PendingEvent]) = ([], [])
    for event in pending[head...] {
      if isGone(event) { gone.append(event) } else { left.append(event) }
    }
    if !gone.isEmpty { (pending, head) = (left, 0) }
    return gone
  }
}

/// The state that a sender has of a partition.
struct SendPosition {
  /// The most that is remembered of what was refused.
  private static let longest = 10_000

  /// The number of the last event that the broker has.
  var known: UInt64 = 0

  /// The number of the last event that the broker had when the sender began.
  var first: UInt64 = 0
  var claim: ProducerClaim?

  /// Whether it had no room when it was last asked.
  var isFull = false

  /// When it last took something.
  var progress: Duration?

  /// Numbers of events that were not sent although they were to be.
  private var refused: Set<UInt64> = []

  /// What the broker had taken and has lost, and what of that was sent again.
  private var lost: ClosedRange<UInt64>?
  private var resent: Set<UInt64> = []

  /// What was lost since a call has said so by its error.
  var unsaid: ClosedRange<UInt64>?

  /// Calls that go on although the broker has taken events of theirs, with the last number of
  /// those.
  private(set) var halfway: [(ticket: SendTicket, number: UInt64)] = []

  /// Up to here, what was refused is no longer remembered.
  private var forgotten: UInt64 = 0

  mutating func noteRefused(_ number: UInt64?) {
    guard let number, number > known else { return }
    refused.insert(number)
    guard refused.count > SendPosition.longest else { return }
    forgotten = max(forgotten, refused.max() ?? 0)
    refused = []
  }

  /// The broker has all events up to a number.
  mutating func noteKnown(_ number: UInt64) {
    known = max(known, number)
    refused = refused.filter { $0 > number }
  }

  mutating func noteSent(_ number: UInt64?) {
    guard let number else { return }
    if !refused.isEmpty { refused.remove(number) }
    if lost?.contains(number) == true { resent.insert(number) }
  }

  /// The broker has taken a pack, and a call with some of its events goes on.
  mutating func noteHalfway(_ ticket: SendTicket, _ number: UInt64) {
    if halfway.last?.ticket === ticket {
      halfway[halfway.count - 1].number = number
    } else {
      halfway.append((ticket, number))
    }
  }

  /// Forgets calls that have ended.
  mutating func forgetEnded() {
    if !halfway.isEmpty { halfway.removeAll { $0.ticket.isFinished } }
  }

  /// The broker has events up to a number only, and had more; gives those that are lost.
  mutating func noteLost(behind found: UInt64) -> ClosedRange<UInt64>? {
    guard found < known else { return nil }
    let gone = found + 1...known
    lost = min(gone.lowerBound, lost?.lowerBound ?? .max)...max(known, lost?.upperBound ?? 0)
    resent = resent.filter { $0 <= found }
    (known, first) = (found, min(first, found))
    unsaid =
      min(
        gone.lowerBound, unsaid?.lowerBound ?? .max)...max(gone.upperBound, unsaid?.upperBound ?? 0)
    return gone
  }

  /// The partition is its sender's.
  mutating func noteClaim(_ position: ProducerPosition) {
    first = claim == nil ? position.number : min(first, position.number)
    claim = position.claim
    noteKnown(position.number)
  }

  /// Whether an event was perhaps refused, although events behind it were not.
  func isPassed(_ number: UInt64) -> Bool {
    if lost?.contains(number) == true, !resent.contains(number) { return true }
    return refused.contains(number) || (number > first && number <= forgotten)
  }
}
