import ECS
import ECSTestSupport
import Testing

extension MixedChanges {
  // MARK: Components

  mutating func set() {
    let kinds: [Kind] = [.value, .value, .base, .mid, .side, .top, .core, .firm, .only, .aim]
    let (one, kind) = (pick(), kinds[random.below(kinds.count)])
    let value = kind == .aim ? pick() : random.below(8)
    note("set \(kind) \(value) on #\(one)")
    world.set(kind, value, on: one)
    model.set(kind, value, on: one)
  }

  mutating func remove() {
    let kinds: [Kind] = [
      .value, .base, .mid, .side, .top, .core, .firm, .only, .aim, .instance,
    ]
    let (one, kind) = (pick(), kinds[random.below(kinds.count)])
    note("remove \(kind) from #\(one)")
    world.remove(kind, from: one)
    model.remove(kind, from: one)
  }

  mutating func bulk() {
    if random.oneIn(4) {
      note("destroy all that have a core and no base")
      world.context.group(Matcher(all: [Mixed.Core.cid], none: [Mixed.Base.cid])).destroyAll()
      for one in model.alive where model.value(one, .core) != nil && model.value(one, .base) == nil
      {
        model.destroy(one)
      }
      return
    }
    let (value, isSetting) = (random.below(8), random.oneIn(2))
    note(isSetting ? "set mid \(value) on all sides" : "remove base from all with a mid")
    let group = world.context.group(isSetting ? Mixed.Side.matcher : Mixed.Mid.matcher)
    if isSetting { group.set(Mixed.Mid(value: value)) } else { group.remove(Mixed.Base.self) }
    for one in model.alive {
      if isSetting, model.value(one, .side) != nil {
        model.set(.mid, value, on: one)
      } else if !isSetting, model.value(one, .mid) != nil {
        model.remove(.base, from: one)
      }
    }
  }

  /// Lets the instances of a template follow another one.
  mutating func updateInstances() {
    let value = 3 + random.below(2)
    note("leaves with the value \(7 - value) follow those with \(value)")
    func leaf(_ value: Int) -> Template {
      Template(Mixed.names[0]) {
        Mixed.Node()
        Mixed.Value(value: value)
      }
    }
    world.context.updateInstances(of: leaf(7 - value), to: leaf(value))
    for one in model.alive where model.value(one, .instance) == 0 {
      if model.value(one) == 7 - value { model.rows[one]?[.value] = value }
    }
  }

  /// Mutates all values, and changes other things meanwhile, which waits.
  mutating func iterate() {
    let (one, other, place) = (pick(), pick(), pick())
    var (choice, more) = (random.below(7), random.below(3))
    if choice == 6, model.value(other, .only) != nil { choice = 4 }
    note("iterate, more \(more), \(choice) #\(one) #\(other) #\(place)")
    let (world, waiting) = (world, choice)
    var isFirst = true
    var made: Entity?
    world.context.group(Mixed.Value.matcher).withEach { (_: Entity, value: inout Mixed.Value) in
      value.value = (value.value + more) % 8
      guard isFirst else { return }
      isFirst = false
      made = make(waiting, other, place)
      world.relate(.line, one, other, [])
      world.relate(.member, one, place, [more, other])
      switch waiting {
      case 0: world[other].destroy()
      case 1: world.set(.top, more, on: other)
      case 2: world.remove(.value, from: one)
      case 3: world.set(.value, 7, on: place)
      case 4: world.unrelate(.member, one, place)
      default: break
      }
    }
    for one in model.alive {
      if let value = model.value(one) { model.rows[one]?[.value] = (value + more) % 8 }
    }
    guard !isFirst else { return }
    if let made { adopt(made, choice, other, place) }
    model.relate(.line, one, other)
    model.relate(.member, one, place, [more, other])
    switch choice {
    case 0: model.destroy(other)
    case 1: model.set(.top, more, on: other)
    case 2: model.remove(.value, from: one)
    case 3: model.set(.value, 7, on: place)
    case 4: model.unrelate(.member, one, place)
    default: break
    }
  }

  /// Makes an entity in an iteration, which has to wait, and changes it.
  private func make(_ choice: Int, _ other: Int, _ place: Int) -> Entity? {
    switch choice {
    case 5:
      let made = world.context.createEntity(from: Mixed.templates[1])
      made.remove(Mixed.Base.self)
      return made.relate(Mixed.MemberOf.self, to: world[place], Mixed.Role(value: 1))
    case 6:
      return try? world[other].clone { $0.set(Mixed.Value(value: 7)) }
    default: return nil
    }
  }

  private mutating func adopt(_ made: Entity, _ choice: Int, _ other: Int, _ place: Int) {
    world.register()
    guard let number = world.numbers[made] else { return }
    if choice == 5 {
      adopt(number, 1)
      model.remove(.base, from: number)
      model.relate(.member, number, place, [1, -1])
    } else {
      model.addCopies([number], of: [other]) { $0.set(.value, 7, on: $1) }
    }
  }

  // MARK: Links

  private mutating func anyLink() -> Link { Link.changed[random.below(Link.changed.count)] }

  private mutating func linkValue(_ link: Link) -> [Int] {
    switch link {
    case .member: [random.below(6), random.oneIn(2) ? pick() : -1]
    case .leads, .under: [random.below(6)]
    default: []
    }
  }

  mutating func relate() {
    let (link, one, other) = (anyLink(), pick(), pick())
    let value = linkValue(link)
    if link.isHierarchy, one == other || model.isBelow(other, one, link) { return }
    note("relate \(link) #\(one) to #\(other) \(value)")
    world.relate(link, one, other, value)
    model.relate(link, one, other, value)
  }

  mutating func setParent() {
    let (one, other, share) = (pick(), pick(), random.below(6))
    let link: Link = random.oneIn(2) ? .child : .under
    note("parent of #\(one) is #\(other) by \(link) \(share)")
    let isCycle = one == other || model.isBelow(other, one, link)
    do {
      if link == .child {
        try world[one].setParent(world[other])
      } else {
        try world[one].setParent(world[other], in: Mixed.Under.self, Mixed.Share(value: share))
      }
      expectFalse(isCycle, "#\(one) is above itself")
      model.relate(link, one, other, link == .under ? [share] : [])
    } catch {
      expectTrue(isCycle, "\(error)")
    }
  }

  mutating func unrelate() {
    let (link, one) = (anyLink(), pick())
    guard let other = model.targets(link, one).last else { return }
    note("unrelate \(link) #\(one) from #\(other)")
    world.unrelate(link, one, other)
    model.unrelate(link, one, other)
  }

  mutating func removeAll() {
    let (link, one, isTargets) = (anyLink(), pick(), random.oneIn(2))
    note("remove all \(isTargets ? "targets" : "sources") \(link) of #\(one)")
    world.removeAll(link, of: one, isTargets: isTargets)
    if isTargets {
      for target in model.targets(link, one) { model.unrelate(link, one, target) }
    } else {
      for source in model.sources(link, one) { model.unrelate(link, source, one) }
    }
  }

  mutating func updateValue() {
    let links: [Link] = [.member, .leads, .under]
    let (link, one) = (links[random.below(3)], pick())
    guard let other = model.targets(link, one).first else { return }
    note("update \(link) #\(one) to #\(other)")
    switch link {
    case .member: world[one].update(Mixed.MemberOf.self, to: world[other]) { $0.value += 1 }
    case .leads: world[one].update(Mixed.Leads.self, to: world[other]) { $0.value += 1 }
    default: world[one].update(Mixed.Under.self, to: world[other]) { $0.value += 1 }
    }
    let pair = MixedModel.Pair(source: one, target: other)
    var value = model.values[link]?[pair] ?? [0]
    value[0] += 1
    model.setValue(link, pair, value)
  }

  /// Changes the order of links at one end.
  mutating func order() {
    let (link, one, choice) = (anyLink(), pick(), random.below(4))
    let (targets, sources) = (model.targets(link, one), model.sources(link, one))
    note("order \(choice) of \(link) of #\(one)")
    switch choice {
    case 0:
      world.reverse(link, of: one, isTargets: true)
      model.setTargets(link, one, targets.reversed())
    case 1:
      world.reverse(link, of: one, isTargets: false)
      model.setSources(link, one, sources.reversed())
    case 2:
      guard let last = sources.last else { return }
      world.move(link, last, of: one, to: 0)
      model.setSources(link, one, [last] + sources.dropLast())
    default:
      world[one].targets(Mixed.MemberOf.self).sort { $0.value < $1.value }
      let members = model.targets(.member, one)
      func key(_ target: Int) -> Int {
        model.values[.member]?[MixedModel.Pair(source: one, target: target)]?[0] ?? 0
      }
      let order = members.indices.sorted {
        (key(members[$0]), $0) < (key(members[$1]), $1)
      }
      model.setTargets(.member, one, order.map { members[$0] })
    }
  }

  /// Links some entities instead of others: of those that are there and have values, some.
  mutating func replaceAll() {
    let (one, isTargets, isValued) = (pick(), random.oneIn(2), random.oneIn(2))
    let link: Link = isValued ? .member : .tag
    let present = isTargets ? model.targets(link, one) : model.sources(link, one)
    var wanted = present.filter { _ in !random.oneIn(3) }
    wanted.shuffle(using: &random)
    if !isValued {
      for _ in 0..<random.below(3) {
        let other = pick()
        if !wanted.contains(other) { wanted.append(other) }
      }
    }
    note("replace \(isTargets ? "targets" : "sources") \(link) of #\(one) by \(wanted)")
    world.replaceAll(link, of: one, by: wanted, isTargets: isTargets)
    let kept = isValued ? 0 : zip(present, wanted).prefix { $0 == $1 }.count
    for other in present[kept...] where !isValued || !wanted.contains(other) {
      isTargets ? model.unrelate(link, one, other) : model.unrelate(link, other, one)
    }
    if isValued {
      isTargets ? model.setTargets(link, one, wanted) : model.setSources(link, one, wanted)
    } else {
      for other in wanted[kept...] {
        isTargets ? model.relate(link, one, other) : model.relate(link, other, one)
      }
    }
  }

  /// Links an entity with a value, at a position.
  mutating func insert() {
    let (one, other, value, place) = (pick(), pick(), linkValue(.member), random.below(4))
    note("insert #\(other) into the members of #\(one) at \(place) \(value)")
    let role = Mixed.Role(value: value[0], by: world.entities[value[1]])
    world[one].sources(Mixed.MemberOf.self).insert(world[other], role, at: place)
    model.relate(.member, other, one, value)
    var order = model.sources(.member, one).filter { $0 != other }
    order.insert(other, at: min(place, order.count))
    model.setSources(.member, one, order)
  }
}
