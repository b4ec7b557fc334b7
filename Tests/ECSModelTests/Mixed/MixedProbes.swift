import ECS
import ECSTestSupport

/// Live views, totals and indexes of a world, with what they are to show by a model.
struct MixedProbes {
  private struct Probe {
    let name: String
    let view: LiveView

    /// The entity with which the view ends: if that lives again, it is to be started anew, and its
    /// observers are gone.
    let owner: Int?
    var hasEnded = false
    let expected: (MixedModel) -> [Int]
  }
  private struct Total {
    let name: String
    let sources: (MixedModel) -> [(value: Int, targets: [Int])]
    let differs: ([Entity: [Int]]) -> Bool
  }

  private var probes: [Probe] = []
  private var totals: [Total] = []
  private let index: Index<Int>
  private let ordered: OrderedIndex<Int>
  private let without: Group
  private var mirrors: [(name: String, entities: [Entity], told: Recorder<LiveViewDifference>)] = []
  private var subscriptions: [Subscription] = []

  /// Makes everything anew, around some entities.
  init(_ world: MixedWorld, anchors: [Int], mayEndUnseen: Bool = false) {
    let context = world.context
    index = context.index { (base: Mixed.Base) in base.value }
    ordered = context.orderedIndex { (value: Mixed.Value) in value.value }
    without = context.group(Matcher(all: [Mixed.Value.cid], none: [Mixed.Mid.cid]))
    let lines = context.sum(of: \Mixed.Value.value, byTarget: Mixed.LineOf.self)
    let orders = context.sum(
      of: \Mixed.Value.value, byTarget: Mixed.LineOf.self, Mixed.OrderedBy.self)
    let members = context.count(
      of: Mixed.Value.self, byTarget: Mixed.MemberOf.self, where: { $0.value > 2 })
    let tags = context.extremes(of: \Mixed.Value.value, byTarget: Mixed.Tagged.self)
    addTotals(lines, orders, members, tags)
    addViews(world, anchors, lines, orders, members)
    if mayEndUnseen { probes.removeAll { $0.owner != nil } }
    addMirrors()
  }

  private mutating func addTotals(
    _ lines: Aggregate<Entity, Int>, _ orders: Aggregate<Entity, Int>,
    _ members: Aggregate<Entity, Int>, _ tags: Aggregate<Entity, ClosedRange<Int>>
  ) {
    func differs<Value: Equatable>(
      _ aggregate: Aggregate<Entity, Value>, _ combine: @escaping ([Int]) -> Value
    ) -> ([Entity: [Int]]) -> Bool {
      { values in
        aggregate.keyCount != values.count
          || values.contains { key, values in
            aggregate[key] != combine(values) || aggregate.count(for: key) != values.count
          }
      }
    }
    totals = [
      Total(
        name: "lines", sources: { Self.values($0) { model, one in model.targets(.line, one) } },
        differs: differs(lines) { $0.reduce(0, +) }),
      Total(
        name: "orders",
        sources: {
          Self.values($0) { model, one in
            model.targets(.line, one).flatMap { model.targets(.order, $0) }
          }
        }, differs: differs(orders) { $0.reduce(0, +) }),
      Total(
        name: "members",
        sources: {
          Self.values($0) { model, one in model.targets(.member, one) }.filter { $0.value > 2 }
        }, differs: differs(members) { $0.count }),
      Total(
        name: "tags", sources: { Self.values($0) { model, one in model.targets(.tag, one) } },
        differs: differs(tags) { ($0.min() ?? 0)...($0.max() ?? 0) }),
    ]
  }

  private static func values(
    _ model: MixedModel, _ targets: (MixedModel, Int) -> [Int]
  ) -> [(value: Int, targets: [Int])] {
    model.alive.compactMap { one in model.value(one).map { ($0, targets(model, one)) } }
  }

  private mutating func addViews(
    _ world: MixedWorld, _ anchors: [Int], _ lines: Aggregate<Entity, Int>,
    _ orders: Aggregate<Entity, Int>, _ members: Aggregate<Entity, Int>
  ) {
    let (first, second) = (anchors[0], anchors[1])
    let nodes = world.context.group(Mixed.Node.matcher)
    let valued = world.context.group(Mixed.Value.matcher)
    add("below", nodes.filtered(below: world[first]).sorted(by: lines, .descending)) { model in
      Self.sorted(model.alive.filter { model.isBelow($0, first) }) { Self.lines(model, $0).map(-) }
    }
    add("below with value", valued.filtered(below: world[second], in: Mixed.Under.self)) { model in
      model.alive.filter { model.value($0) != nil && model.isBelow($0, second, .under) }
    }
    add("linked", nodes.filtered(byLink: Mixed.MemberOf.self)) { model in
      model.alive.filter { !model.targets(.member, $0).isEmpty }
    }
    add("members", nodes.filtered(byLink: Mixed.MemberOf.self, to: world[second])) { model in
      model.alive.filter { model.targets(.member, $0).contains(second) }
    }
    add("within", nodes.filtered(byLink: Mixed.OrderedBy.self, within: world[first])) { model in
      model.alive.filter { one in
        model.targets(.order, one).contains { $0 == first || model.isBelow($0, first) }
      }
    }
    add("best", nodes.sorted(by: orders, .descending).then(by: members).limited(to: 4)) { model in
      let twice = Self.sorted(model.alive) { Self.members(model, $0) }
      return Array(Self.sorted(twice) { Self.orders(model, $0).map(-) }.prefix(4))
    }
    add("few", nodes.filtered(by: lines) { ($0 ?? 0) < 6 }.sorted(by: \Mixed.Base.value)) { model in
      Self.sorted(model.alive.filter { (Self.lines(model, $0) ?? 0) < 6 }) {
        model.value($0, .base)
      }
    }
    let byTarget = valued.filtered(byTarget: Mixed.LineOf.self) { (value: Mixed.Value) in
      value.value % 2 == 0
    }.sorted(by: \Mixed.Value.value, ofTarget: Mixed.LineOf.self)
    add("by target", byTarget) { model in
      func key(_ one: Int) -> Int? { model.targets(.line, one).first.flatMap { model.value($0) } }
      let shown = model.alive.filter { model.value($0) != nil && key($0).map { $0 % 2 } == 0 }
      return Self.sorted(shown, by: key)
    }
    add("related", of: first, world[first].sources(Mixed.MemberOf.self).view()) { model in
      model.sources(.member, first)
    }
    add("related by totals", of: second, world[second].sources(Mixed.Tagged.self).sorted(by: lines))
    { model in
      Self.sorted(model.sources(.tag, second)) { Self.lines(model, $0) }
    }
    addValueViews(world, first, second)
  }

  /// Views that are filtered and sorted by the values of links.
  private mutating func addValueViews(_ world: MixedWorld, _ first: Int, _ second: Int) {
    func value(_ model: MixedModel, _ link: Mixed.Link, _ source: Int, _ target: Int) -> Int? {
      model.values[link]?[.init(source: source, target: target)]?.first
    }
    let roles = world[first].sources(Mixed.MemberOf.self)
      .filtered(byValue: Mixed.MemberOf.self) { $0.value > 1 }
      .sorted(by: \.value, ofValue: Mixed.MemberOf.self, .descending)
    add("by roles", of: first, roles) { model in
      let shown = model.sources(.member, first).filter {
        (value(model, .member, $0, first) ?? 0) > 1
      }
      return Self.sorted(shown) { value(model, .member, $0, first).map(-) }
    }
    let teams = world[second].targets(Mixed.MemberOf.self)
      .sorted(by: \.value, ofValue: Mixed.MemberOf.self).limited(to: 2)
    add("teams by roles", of: second, teams) { model in
      Array(
        Self.sorted(model.targets(.member, second)) { value(model, .member, second, $0) }
          .prefix(2))
    }
    let under = world[second].sources(Mixed.Under.self).sorted(by: \Mixed.Value.value)
      .then(by: \.value, ofValue: Mixed.Under.self)
    add("under by shares", of: second, under) { model in
      let byShare = Self.sorted(model.sources(.under, second)) {
        value(model, .under, $0, second)
      }
      return Self.sorted(byShare) { model.value($0) }
    }
    let led = world[first].targets(Mixed.Leads.self)
      .filtered(byValue: Mixed.Leads.self) { $0.value % 2 == 0 }
    add("led by shares", of: first, led) { model in
      model.targets(.leads, first).filter {
        value(model, .leads, first, $0).map { $0 % 2 == 0 } == true
      }
    }
  }

  private mutating func add(
    _ name: String, of owner: Int? = nil, _ view: LiveView,
    _ expected: @escaping (MixedModel) -> [Int]
  ) {
    probes.append(Probe(name: name, view: view.start(), owner: owner, expected: expected))
  }

  private mutating func addMirrors() {
    for probe in probes {
      let told = Recorder<LiveViewDifference>()
      mirrors.append((probe.name, Array(probe.view), told))
      subscriptions.append(probe.view.observe(initial: false) { told.append($0.difference) })
    }
  }

  // MARK: What is to be there

  /// Sorts by a key, what has none last, and otherwise leaves the order.
  private static func sorted(_ entities: [Int], by key: (Int) -> Int?) -> [Int] {
    let keys = entities.map { key($0) ?? Int.max }
    return entities.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { entities[$0] }
  }

  private static func lines(_ model: MixedModel, _ target: Int) -> Int? {
    let values = model.sources(.line, target).compactMap { model.value($0) }
    return values.isEmpty ? nil : values.reduce(0, +)
  }

  private static func orders(_ model: MixedModel, _ target: Int) -> Int? {
    let values = model.sources(.order, target).compactMap { lines(model, $0) }
    return values.isEmpty ? nil : values.reduce(0, +)
  }

  private static func members(_ model: MixedModel, _ target: Int) -> Int? {
    let values = model.sources(.member, target).compactMap { model.value($0) }.filter { $0 > 2 }
    return values.isEmpty ? nil : values.count
  }

  // MARK: Comparison

  /// What differs from a model, if anything; inside of a section, observers are yet to be called.
  mutating func difference(
    _ world: MixedWorld, from model: MixedModel, isInside: Bool = false
  ) -> String? {
    func numbers(_ entities: some Sequence<Entity>) -> [Int] {
      entities.map { world.numbers[$0] ?? -2 }
    }
    for place in probes.indices {
      if let owner = probes[place].owner, model.rows[owner] == nil, !isInside {
        probes[place].hasEnded = true
      }
      let probe = probes[place]
      let (shown, expected) = (numbers(probe.view), probe.expected(model))
      if shown != expected { return "view \(probe.name): \(shown), expected \(expected)" }
      if probe.hasEnded, !isInside { probe.view.start() }
    }
    for place in mirrors.indices where !isInside {
      for change in mirrors[place].told.take()
      where !change.apply(to: &mirrors[place].entities) {
        return "view \(mirrors[place].name) has a difference that does not fit: \(change)"
      }
      let mirror = numbers(mirrors[place].entities)
      let shown = probes[place].hasEnded ? [] : numbers(probes[place].view)
      if mirror != shown { return "differences of \(mirrors[place].name): \(mirror), not \(shown)" }
    }
    for total in totals {
      var values: [Entity: [Int]] = [:]
      for source in total.sources(model) {
        for target in source.targets { values[world[target], default: []].append(source.value) }
      }
      if total.differs(values) { return "total \(total.name), expected \(values)" }
    }
    for key in [10, 3, 7] {
      let expected = model.alive.filter { model.value($0, .base) == key }
      if numbers(index[key]).sorted() != expected { return "index of \(key)" }
    }
    let valued = model.alive.compactMap { model.value($0) }.sorted()
    if ordered[...1000].compactMap({ $0.get(Mixed.Value.self)?.value }) != valued {
      return "ordered index"
    }
    if ordered.count(in: ..<4) != valued.count(where: { $0 < 4 }) { return "count of a range" }
    let expected = model.alive.filter { model.value($0) != nil && model.value($0, .mid) == nil }
    return numbers(without).sorted() == expected ? nil : "group"
  }
}
