import ECS
import ECSTestSupport
import Foundation
import Testing

private struct Number: Component { var value: Int? }
private struct Word: Component { var text: String }

/// An ordered index of numbers, one of texts, and the same by sorting.
private struct OrderedIndexRun {
  let context = Context()
  let numbers: OrderedIndex<Int>
  let words: OrderedIndex<String>
  var entities: [Entity] = []
  var random: SplitMix64
  let range: Int

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    range = [4, 60, 1 << 40][Int(seed % 3)]
    numbers = context.orderedIndex { (key: Number) in key.value }
    words = context.orderedIndex { (word: Word) in word.text }
  }

  private mutating func word() -> String {
    let letters = ["a", "b", "e\u{301}", "ß"]
    return (0..<random.below(4)).map { _ in letters[random.below(4)] }.joined()
  }

  mutating func step() {
    if entities.isEmpty || random.oneIn(4) {
      entities.append(context.createEntity(with: Number(value: random.below(range))))
      if random.oneIn(2) { entities[entities.count - 1].set(Word(text: word())) }
      return
    }
    let place = random.below(entities.count)
    switch random.below(8) {
    case 0: entities.remove(at: place).destroy()
    case 1: entities[place].set(Number(value: nil))
    case 2: entities[place].remove(Number.self)
    case 3: entities[place].set(Word(text: word()))
    default: entities[place].set(Number(value: random.below(range)))
    }
  }

  private func sorted<Value: Comparable>(_ value: (Entity) -> Value?) -> [(Value, Entity)] {
    entities.compactMap { entity in value(entity).map { ($0, entity) } }.sorted { one, other in
      if one.0 != other.0 { return one.0 < other.0 }
      return (one.1.creationNumber ?? 0) < (other.1.creationNumber ?? 0)
    }
  }

  /// What differs, if anything.
  mutating func difference() -> String? {
    let all = sorted { $0.get(Number.self)?.value }
    guard Array(numbers[...]) == all.map(\.1), numbers.count == all.count else { return "all" }
    let (one, other) = (random.below(range), random.below(range))
    let (low, high) = (min(one, other), max(one, other))
    let within = all.filter { low <= $0.0 && $0.0 < high }.map(\.1)
    guard Array(numbers[low..<high]) == within, numbers.count(in: low..<high) == within.count
    else { return "\(low)..<\(high)" }
    guard Array(numbers[low...high]) == all.filter({ low <= $0.0 && $0.0 <= high }).map(\.1)
    else { return "\(low)...\(high)" }
    guard Array(numbers[low]) == all.filter({ $0.0 == low }).map(\.1) else { return "\(low)" }
    let nearest = all.min { abs($0.0 - low) < abs($1.0 - low) }
    guard numbers.nearest(to: low) == nearest?.1 else { return "nearest to \(low)" }
    for (position, (key, entity)) in all.enumerated() {
      guard numbers.position(of: entity) == position, numbers.entity(at: position) == entity,
        numbers.key(of: entity) == key
      else { return "position \(position)" }
    }
    let texts = sorted { $0.get(Word.self)?.text }
    let text = word()
    guard Array(words[...]) == texts.map(\.1) else { return "texts" }
    guard Array(words[text...]) == texts.filter({ $0.0 >= text }).map(\.1) else {
      return "from \(text)"
    }
    let beginning = texts.filter { scalars($0.0).starts(with: scalars(text)) }
    guard Array(words.prefix(text)) == beginning.map(\.1) else { return "prefix \(text)" }
    return nil
  }

  /// The scalars of a text in composed form.
  private func scalars(_ text: String) -> [Unicode.Scalar] {
    Array(text.precomposedStringWithCanonicalMapping.unicodeScalars)
  }
}

@Suite(.longRunning) struct OrderedIndexModelTests {
  @Test(arguments: Effort.seeds(Effort.modelSeeds / 2))
  func `Ordered indexes agree with sorting after every section`(seed: UInt64) {
    var run = OrderedIndexRun(seed: seed)
    for number in 0..<60 {
      let steps = number % 6 == 5 ? 150 : 1 + run.random.below(6)
      run.context.perform { for _ in 0..<steps { run.step() } }
      if let difference = run.difference() {
        Issue.record("seed \(seed), section \(number): \(difference)")
        return
      }
    }
  }
}
