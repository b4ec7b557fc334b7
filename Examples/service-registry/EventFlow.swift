import Dispatch
import ECS

/// Something that happened: a component of an entity that lives until all observers were called.
protocol AppEvent: Component {}

/// Marks all events, so that one system can clean them up.
struct EventMark: Component {}

/// Asks to be called at events of a type, until its entity is destroyed.
struct Observer<E: AppEvent>: Component {
  let react: @Sendable (E) -> Void
}

/// Where an observer stands among those that have such an index too; they come before the others.
struct ExecutionIndex: Component {
  let value: Int
}

/// Tells the observers of one type of events.
final class Deliver<E: AppEvent>: StrictReactiveSystem {
  let collector: Collector
  private let indexed: Group
  private let others: Group

  init(_ context: Context) {
    collector = context.collector(for: E.matcher)
    indexed = context.all([Observer<E>.cid, ExecutionIndex.cid])
    others = context.all([Observer<E>.cid], none: [ExecutionIndex.cid])
  }

  func execute(entities: EntitySet) {
    entities.withEach { (_, event: E) in
      let inOrder = indexed.sorted(forObject: self) {
        ($0.get(ExecutionIndex.self)?.value ?? 0) < ($1.get(ExecutionIndex.self)?.value ?? 0)
      }
      // An observer may change the context as it likes: it may raise events, or end observers.
      for observer in inOrder { observer.get(Observer<E>.self)?.react(event) }
      for observer in others { observer.get(Observer<E>.self)?.react(event) }
    }
  }
}

/// Destroys the events of a pass when all systems have seen them.
final class RemoveEvents: CleanupSystem {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func cleanup() {
    for event in context.group(EventMark.matcher) { event.destroy() }
  }
}

extension Context {
  func raise(_ event: some AppEvent) {
    _ = createEntity(with: event, EventMark())
  }

  func observe<E: AppEvent>(
    _ type: E.Type, index: Int? = nil, _ react: @escaping @Sendable (E) -> Void
  ) -> Entity {
    perform {
      let entity = createEntity(with: Observer<E>(react: react))
      if let index { entity.set(ExecutionIndex(value: index)) }
      return entity
    }
  }
}

struct SignedIn: AppEvent { let user: String }
struct Welcomed: AppEvent { let user: String }

func showEvents() {
  print("Event flow")
  let context = Context(name: "Events")
  let loop = ReactiveLoop(
    ctx: context, queue: DispatchQueue(label: "events"),
    systems: [Deliver<SignedIn>(context), Deliver<Welcomed>(context), RemoveEvents(context)])

  // The context keeps the observers.
  _ = context.observe(SignedIn.self) { print("  no index: \($0.user) is counted") }
  _ = context.observe(SignedIn.self, index: 2) { [weak context] event in
    print("  index 2: \(event.user) is welcomed")
    context?.raise(Welcomed(user: event.user))
  }
  _ = context.observe(SignedIn.self, index: 1) { print("  index 1: \($0.user)'s key is checked") }
  let once = context.observe(Welcomed.self) { print("  \($0.user) was welcomed") }

  context.raise(SignedIn(user: "Ada"))
  loop.runUntilSettled()
  once.destroy()
  context.raise(SignedIn(user: "Bob"))
  loop.runUntilSettled()
  print("  \(context.group(EventMark.matcher).count) events are left")
}
