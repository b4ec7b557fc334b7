/// Notifications that wait for the outermost change to end, oldest first: single changes, and
/// behind them whole sources that changed.
///
/// What an observer causes belongs to the next round. Rounds are limited, and so is what they
/// deliver in comparison with what the change itself caused: observers that keep feeding each
/// other, or multiply, come to an end.
struct DeliveryQueue {
  enum Item {
    case change(Change, ObserverList, number: UInt64)
    case source(SignalNode)
  }

  private struct Entry {
    let item: Item
    let round: Int
  }

  private var changes = FirstInFirstOut<Entry>()
  private var sources = FirstInFirstOut<Entry>()

  /// The number of the next single change.
  private(set) var nextNumber: UInt64 = 0

  /// The round of what is queued now; 0 while nothing is being delivered.
  private var round = 0

  /// How much was delivered of the changes of round 0, and of what followed.
  private var direct = 0
  private var following = 0

  var maximumRounds = 10_000

  mutating func append(_ change: Change, for list: ObserverList) {
    changes.append(Entry(item: .change(change, list, number: nextNumber), round: round))
    nextNumber += 1
  }

  mutating func append(_ node: SignalNode) {
    sources.append(Entry(item: .source(node), round: round))
  }

  /// Takes out what is to be delivered next; `isExcess` if the limit is reached.
  mutating func popFirst() -> (item: Item, isExcess: Bool)? {
    guard let entry = changes.popFirst() ?? sources.popFirst() else {
      round = 0
      direct = 0
      following = 0
      return nil
    }
    round = entry.round + 1
    if entry.round == 0 { direct += 1 } else { following += 1 }
    let isExcess =
      entry.round >= maximumRounds || following / max(100, direct) >= maximumRounds
    return (entry.item, isExcess)
  }
}
