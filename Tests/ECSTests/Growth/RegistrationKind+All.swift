import Dispatch
import ECS
import ECSTestSupport

extension RegistrationKind {
  static let all: [RegistrationKind] = reactive + views + loops + structure

  private static let reactive: [RegistrationKind] = [
    .objects("collectors of one group", of: populated) { context, _ in
      context.collector(for: Health.matcher)
    },
    .objects("collectors of one group, with a change of another one after each", of: populated) {
      context, _ in
      context.createEntity(with: Tag()).destroy()
      return context.collector(for: Health.matcher)
    },
    .objects("indexes of one component", of: populated) { context, _ in
      context.index { (health: Health) in health.points }
    },
    .objects("indexes with several keys of one component", of: populated) { context, _ in
      context.index(keys: { (health: Health) in [health.points, 0] })
    },
    .objects("primary indexes of one component", of: populated) { context, _ in
      context.primaryIndex { (health: Health) in health.points }
    },
    RegistrationKind("keys of one entity in an index", size: 4000) { count in
      let context = Context()
      let index = context.index(keys: { (words: Words) in words.words })
      let entity = context.createEntity()
      return Trial {
        entity.set(Words(words: Array(0..<count)))
        entity.set(Words(words: Array(count / 2..<count / 2 + count)))
      } end: {
        entity.set(Words(words: []))
        entity.destroy()
        withExtendedLifetime((context, index)) {}
      }
    },
    RegistrationKind("entities with many keys in an index, one after the other", size: 20) {
      count in
      let context = Context()
      let index = context.index(keys: { (words: Words) in words.words })
      var entities: [Entity] = []
      return Trial {
        for _ in 0..<count {
          entities.append(context.createEntity(with: Words(words: Array(0..<500))))
        }
      } end: {
        for number in scattered(count) { entities[number].destroy() }
        withExtendedLifetime(index) {}
      }
    },
    RegistrationKind("objects for which a group is sorted") { count in
      final class Owner {}
      let context = populated()
      let group = context.group(Health.matcher)
      var owners: [Owner?] = (0..<count).map { _ in Owner() }
      return Trial {
        for owner in owners {
          if let owner { _ = group.sorted(forObject: owner) { _, _ in false } }
        }
      } end: {
        for number in scattered(count) {
          owners[number] = nil
          _ = group.sorted(forObject: group) { _, _ in false }
        }
        withExtendedLifetime(context) {}
      }
    },
  ]

  private static let views: [RegistrationKind] = [
    .objects("views of one group", size: 500, of: populated) { context, _ in
      let view = context.group(Health.matcher).sorted(by: \Health.points)
      view.start()
      return view
    },
    .objects("views of what is related to one entity", size: 500, of: lonely) {
      lonely, _ in
      let view = lonely.entity.sources(TaggedWith.self).view()
      view.start()
      return view
    },
    .objects("views of what is related to many entities", size: 500, of: empty) {
      context, _ in
      let view = context.createEntity().sources(TaggedWith.self).view()
      view.start()
      return view
    },
  ]

  private static let loops: [RegistrationKind] = [
    .objects("loops of one group on one queue", size: 1000, of: LoopPlace.init) { place, number in
      let collector = place.context.collector(for: Health.matcher)
      return ReactiveLoop(
        ctx: place.context, queue: place.queue,
        systems: [ClosureSystem("system", collector: collector) { _ in }])
    },
    .objects("observers of one journal", of: empty) { context, _ in
      context.journal().observe { _ in }
    },
    .objects("observers of journals of different components", of: empty) { context, number in
      number.isMultiple(of: 2)
        ? context.journal(of: Health.self, Tag.self).observe { _ in }
        : context.journal(of: Position.self, relations: [TaggedWith.self]).observe { _ in }
    },
    .objects("tasks that wait for one collector", size: 500, of: watched) { collector, _ in
      collector.values.makeAsyncIterator()
    },
  ]

  private static let structure: [RegistrationKind] = [
    RegistrationKind("groups") { count in
      let ids = [
        Position.cid, Velocity.cid, Health.cid, Tag.cid, Marker<Int8>.cid, Marker<Int16>.cid,
        Marker<Int32>.cid, Marker<Int64>.cid, Marker<UInt8>.cid, Marker<UInt16>.cid,
        Marker<UInt32>.cid, Marker<UInt64>.cid, Marker<Float>.cid, Marker<Double>.cid,
      ]
      let matchers = (1...count).map { bits in
        Matcher(all: Set(ids.indices.filter { bits & 1 << $0 != 0 }.map { ids[$0] }))
      }
      var context: Context? = populated()
      return Trial {
        for matcher in matchers { _ = context?.group(matcher) }
      } end: {
        context = nil
      }
    },
    RegistrationKind("links to one entity") { count in
      let context = Context()
      let target = context.createEntity()
      let sources = (0..<count).map { _ in context.createEntity() }
      return Trial {
        for source in sources { source.relate(TaggedWith.self, to: target) }
      } end: {
        for number in scattered(count / 2) {
          sources[number].unrelate(TaggedWith.self, from: target)
        }
        target.destroy()
        withExtendedLifetime(context) {}
      }
    },
    RegistrationKind("parts of one whole, which go with it") { count in
      let context = Context()
      let whole = context.createEntity()
      return Trial {
        for _ in 0..<count { context.createEntity().relate(PartOf.self, to: whole) }
      } end: {
        whole.destroy()
      }
    },
    .objects("contexts", size: 500, of: empty) { _, _ in populated() },
  ]

  // MARK: Subjects

  @Sendable private static func populated() -> Context {
    let context = Context()
    for points in 0..<4 { context.createEntity(with: Health(points: Int32(points))) }
    return context
  }

  @Sendable private static func empty() -> Context { Context() }

  @Sendable private static func lonely() -> Lonely { Lonely() }

  /// An entity, with its context.
  private struct Lonely: Sendable {
    let context = Context()
    let entity: Entity

    init() { entity = context.createEntity() }
  }

  @Sendable private static func watched() -> Collector {
    populated().collector(for: Health.matcher)
  }

  private struct LoopPlace: Sendable {
    let context = populated()
    let queue = DispatchQueue(label: "loops")
  }
}

/// A component with any number of keys.
private struct Words: Component {
  var words: [Int]
}

/// As many component types as there are types.
private struct Marker<Value: Sendable>: Component {}
