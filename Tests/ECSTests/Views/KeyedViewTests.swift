import ECS
import ECSTestSupport
import Testing

private struct Message: Component, Equatable {
  var room: Int?
  var time: Int
}
private struct Score: Component { var value: Double }
private struct Read: Component {}
private enum SentBy: ToOneRelation {}

/// Views of the entities of a key, which listen together.
@Suite struct KeyedViewTests {
  let context = Context()
  let evaluations = Tally()

  private func makeRooms() -> KeyedViews<Int> {
    context.group(Message.matcher).sorted(by: \Message.time).views {
      [evaluations] (message: Message) in
      evaluations.add()
      return message.room
    }
  }

  private func send(_ room: Int?, _ time: Int) -> Entity {
    context.createEntity(with: Message(room: room, time: time))
  }

  @Test func `Each view shows the entities of its key, in order`() {
    let rooms = makeRooms()
    let (late, other, early) = (send(7, 3), send(8, 2), send(7, 1))
    _ = send(nil, 0)
    expectTrue(Array(rooms[7]) == [early, late] && Array(rooms[8]) == [other])
    let views = [7, 8, 9].map { rooms[$0].start() }
    expectEqual(views.map { Array($0) }, [[early, late], [other], []])
    late.set(Message(room: 8, time: 0))
    expectEqual(views.map { Array($0) }, [[early], [late, other], []])
    early.set(Message(room: nil, time: 0))
    other.destroy()
    let new = send(9, 1)
    expectEqual(views.map { Array($0) }, [[], [late], [new]])
    expectTrue(
      views[1].contains(late) && !views[0].contains(late) && views[2].position(of: new) == 0)
  }

  @Test func `A change computes the key once, however many views there are`() {
    let rooms = makeRooms()
    let entity = send(0, 0)
    let views = (0..<100).map { rooms[$0].start() }
    let before = evaluations.value
    entity.set(Message(room: 5, time: 0))
    expectEqual(evaluations.value, before + 1)
    expectTrue(Array(views[5]) == [entity] && views[0].isEmpty)
  }

  @Test func `A key that changes moves the entity in one change, with a call for each view`() {
    let rooms = makeRooms()
    let entity = send(1, 1)
    let lines = Recorder<String>()
    let subscriptions = (1...3).map { room in
      rooms[room].observe(initial: false) { change in
        let difference = change.difference
        lines.append("\(room): +\(difference.insertions.count) -\(difference.removals.count)")
      }
    }
    context.perform {
      entity.set(Message(room: 3, time: 1))
      entity.set(Message(room: 2, time: 1))
    }
    expectEqual(Set(lines.take()), ["1: +0 -1", "2: +1 -0"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `A transaction that throws announces nothing and moves nothing`() {
    let rooms = makeRooms()
    let entity = send(1, 1)
    let calls = Tally()
    let views = [rooms[1], rooms[2]]
    let subscriptions = views.map { $0.observe(initial: false) { _ in calls.add() } }
    try? context.transaction {
      entity.set(Message(room: 2, time: 1))
      expectTrue(views[0].isEmpty && Array(views[1]) == [entity])
      entity.destroy()
      _ = send(2, 9)
      throw Refusal()
    }
    expectEqual(calls.value, 0)
    expectTrue(Array(views[0]) == [entity] && views[1].isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(arguments: [1, 2])
  func `Views of a key may end in the filter of one of them`(_ count: Int) {
    let rooms = makeRooms()
    let entity = send(8, 1)
    let (held, calls) = (Recorder<LiveView>(), Tally())
    for _ in 0..<count {
      let view = rooms[7].filtered { (message: Message) in
        calls.add()
        if message.time == 99 { _ = held.take() }
        return true
      }
      held.append(view.start())
    }
    entity.set(Message(room: 7, time: 99))
    expectTrue(calls.value == 1 && context.statistics.views == 0)
    entity.set(Message(room: 7, time: 2))
    expectTrue(calls.value == 1 && Array(rooms[7]) == [entity])
  }

  @Test func `All views that stay learn of a change in whose course many others of the key end`() {
    let rooms = makeRooms()
    let entity = send(8, 1)
    let ending = Recorder<LiveView>()
    let first = rooms[7].filtered { (message: Message) in
      if message.time == 99 { _ = ending.take() }
      return true
    }
    for _ in 0..<20 { ending.append(rooms[7].start()) }
    first.start()
    let staying = (0..<12).map { _ in rooms[7].start() }
    entity.set(Message(room: 7, time: 99))
    expectTrue(context.statistics.views == 13 && staying.allSatisfy { Array($0) == [entity] })
    expectEqual(Array(first), [entity])
  }

  @Test func `Views may begin in the closure of keys, also while the first of them begins`() {
    let (begun, others) = (Recorder<LiveView>(), Recorder<KeyedViews<Int>>())
    let rooms = context.group(Message.matcher).views { (message: Message) in
      for others in others.take() { begun.append(others[1].start()) }
      return message.room
    }
    let entity = send(0, 1)
    others.append(rooms)
    let view = rooms[0].start()
    expectEqual(begun.items.map { Array($0) }, [[]])
    for room in [1, 2, 0, 1] {
      entity.set(Message(room: room, time: 2))
      expectEqual(Array(view), (room == 0 ? [entity] : []))
      expectEqual(begun.items.map { Array($0) }, [room == 1 ? [entity] : []])
    }
    _ = begun.take()
    expectEqual(context.statistics.views, 1)
  }

  @Test(arguments: [false, true])
  func `A view that its own filter begins is at work once`(_ isOfKey: Bool) {
    let held = Recorder<LiveView>()
    let source = isOfKey ? makeRooms()[7] : context.group(Message.matcher).view()
    var view: LiveView? = source.filtered { (message: Message) in
      for view in held.take() { view.start() }
      return message.time > 0
    }
    let entity = send(7, 1)
    if let view { held.append(view) }
    view?.start()
    expectTrue(context.statistics.views == 1 && view.map { Array($0) } == [entity])
    entity.set(Message(room: 7, time: 0))
    expectEqual(view?.isEmpty, true)
    view = nil
    expectEqual(context.statistics.views, 0)
  }

  @Test(arguments: [false, true])
  func `Observers that a view's own filter begins are notified beside others`(_ isOfKey: Bool) {
    let (held, tokens) = (Recorder<LiveView>(), Recorder<Subscription>())
    let (calls, otherCalls) = (Tally(), Tally())
    let source = isOfKey ? makeRooms()[7] : context.group(Message.matcher).view()
    let view = source.filtered { (message: Message) in
      for view in held.take() {
        tokens.append(view.observe(initial: false) { _ in otherCalls.add() })
      }
      return message.time > 0
    }
    let entity = send(7, 1)
    held.append(view)
    let subscription = view.observe(initial: false) { _ in calls.add() }
    entity.set(Message(room: 7, time: 2))
    expectTrue(calls.value == 1 && otherCalls.value == 1)
    _ = tokens.take()
    entity.set(Message(room: 7, time: 3))
    expectTrue(calls.value == 2 && otherCalls.value == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A view that is dropped does no work, and one of its key begins anew`() {
    let rooms = makeRooms()
    let entity = send(1, 1)
    var view: LiveView? = rooms[1].start()
    expectTrue(context.statistics.views == 1 && view?.count == 1)
    view = nil
    expectEqual(context.statistics.views, 0)
    var subscription: Subscription? = rooms[1].observe { _ in }
    expectEqual(context.statistics.views, 1)
    subscription?.cancel()
    subscription = nil
    expectEqual(context.statistics.views, 0)
    entity.set(Message(room: 1, time: 2))
    let before = evaluations.value
    let again = rooms[1].start()
    expectTrue(
      Array(again) == [entity] && evaluations.value == before, "the listener knows the keys")
  }

  @Test func `Nothing listens before a view is at work, nor when the last reference has gone`() {
    var rooms: KeyedViews<Int>? = makeRooms()
    let entity = send(1, 1)
    expectEqual(evaluations.value, 0)
    var view: LiveView? = rooms?[1].start()
    rooms = nil
    entity.set(Message(room: 1, time: 2))
    expectEqual(view.map { Array($0) }, [entity])
    view = nil
    let before = evaluations.value
    entity.set(Message(room: 1, time: 3))
    expectEqual(evaluations.value, before)
  }

  @Test func `Views are filtered, sorted and limited further`() {
    let rooms = makeRooms()
    let messages = (0..<6).map { send($0 % 2, $0) }
    for message in messages.prefix(3) { message.set(Read()) }
    let last = rooms[0].sorted(by: \Message.time, .descending).limited(to: 2).start()
    let unread = rooms[0].filtered { (message: Message) in message.time > 0 }.start()
    let read = rooms[0].filtered { (_: Read) in true }.start()
    expectEqual(Array(last), [messages[4], messages[2]])
    expectEqual(Array(unread), [messages[2], messages[4]])
    expectEqual(Array(read), [messages[0], messages[2]])
    messages[4].set(Message(room: 1, time: 9)).set(Read())
    expectEqual(Array(last), [messages[2], messages[0]])
    expectTrue(Array(unread) == [messages[2]] && Array(read) == [messages[0], messages[2]])
    let halves = rooms[1].views { (message: Message) in message.time / 4 }
    expectEqual(Array(halves[1].start()), [messages[5]])
    expectEqual(Array(halves[0]), [messages[1], messages[3]])
  }

  @Test func `A source that is related to an entity has views by key, too`() {
    let author = context.createEntity()
    let messages = (0..<4).map { send($0 % 2, $0) }
    for message in messages.prefix(3) { message.relate(SentBy.self, to: author) }
    let rooms = author.sources(SentBy.self).views { (message: Message) in message.room }
    let view = rooms[1].start()
    expectTrue(Array(view) == [messages[1]] && Array(rooms[0]) == [messages[0], messages[2]])
    messages[3].relate(SentBy.self, to: author)
    messages[1].set(Message(room: 0, time: 0))
    expectEqual(Array(view), [messages[3]])
  }

  @Test func `What does not equal itself is no key`() {
    let entity = context.createEntity(with: Score(value: .nan))
    let scores = context.group(Score.matcher).views(by: \Score.value)
    let (none, one) = (scores[.nan].start(), scores[1].start())
    expectTrue(none.isEmpty && scores[.nan].isEmpty)
    entity.set(Score(value: 1))
    expectTrue(Array(one) == [entity] && none.isEmpty)
    entity.set(Score(value: .nan))
    expectTrue(one.isEmpty && none.isEmpty)
  }

  @Test func `New numbers of the order of creation keep the order of all views`() {
    let rooms = context.group(Message.matcher).views(by: \Message.room)
    var messages = (0..<6).map { send($0 % 2, 0) }
    let views = [rooms[0].start(), rooms[1].start()]
    messages[1].destroy()
    messages.remove(at: 1)
    context.skipCreations(leaving: 1)
    for number in 0..<4 { messages.append(send(number % 2, 0)) }
    for (room, view) in views.enumerated() {
      expectEqual(Array(view), messages.filter { $0.get(Message.self)?.room == room })
    }
  }

  @Test func `Views of a context that is gone are empty`() {
    var context: Context? = Context()
    let rooms = context?.group(Message.matcher).views(by: \Message.room)
    context?.createEntity(with: Message(room: 1, time: 1))
    let view = rooms?[1].start()
    expectEqual(view?.count, 1)
    context = nil
    let next = Context()
    next.createEntity(with: Message(room: 1, time: 1))
    expectTrue(view?.isEmpty == true && rooms?[1].isEmpty == true && rooms?[1].start().first == nil)
  }
}
