import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Testing

/// The code of the article "Testing".
@Suite(.noHangs) struct TestingSnippets {
  protocol Mailer: Sendable {
    func send(_ text: String) throws
  }
  struct Mail: UniqueComponent {
    let service: any Mailer
  }
  struct LiveMailer: Mailer {
    func send(_ text: String) throws {}
  }
  struct BrokenMailer: Mailer {
    struct Unreachable: Error {}
    func send(_ text: String) throws { throw Unreachable() }
  }

  struct Message: Component {
    let text: String
  }
  struct Sent: Component {}
  struct Failed: Component {}

  final class SendMessages: ReactiveSystem {
    let collector: Collector
    private let context: Context

    init(_ context: Context) {
      self.context = context
      collector = context.collector(for: Message.matcher)
    }

    func execute(entities: EntitySet) {
      for message in entities {
        guard let text = message.get(Message.self)?.text else { continue }
        do {
          try context.uniqueComponent(Mail.self)?.service.send(text)
          message.set(Sent())
        } catch {
          message.set(Failed())
        }
      }
    }
  }

  @Test func `a message that cannot be sent is marked`() {
    let context = Context()
    context.setUniqueComponent(Mail(service: LiveMailer()))
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "mail"), systems: [SendMessages(context)])

    let message = context.withUnique(Mail(service: BrokenMailer())) {
      let message = context.createEntity(with: Message(text: "Hello"))
      loop.runUntilSettled()
      return message
    }
    #expect(message.has(Failed.self))
    #expect(context.uniqueComponent(Mail.self)?.service is LiveMailer)
  }

  @Test func `a system is called by hand`() {
    let context = Context()
    let system = SendMessages(context)
    let loop = Loop(name: "test", systems: [system])
    let message = context.createEntity(with: Message(text: "Hello"))
    context.withUnique(Mail(service: BrokenMailer())) { loop.execute() }
    #expect(message.has(Failed.self))
  }

  @Test func `a collector shows what happened`() {
    let context = Context()
    let added = context.collector(for: Message.matcher)
    let hello = context.createEntity(with: Message(text: "Hello"))
    let again = context.createEntity(with: Message(text: "Hello again"))
    hello.set(Message(text: "Hello, too"))
    #expect(added.drain() == [hello, again])
  }

  @Test func `time is turned by hand`() async {
    let context = Context()
    context.setUniqueComponent(Mail(service: LiveMailer()))
    let time = ManualClock()
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "mail"), delay: .seconds(5),
      systems: [SendMessages(context)], clock: time.clock)
    let message = context.createEntity(with: Message(text: "Hello"))
    time.advance(by: .seconds(5))
    await loop.settled()
    #expect(message.has(Sent.self))
  }

  @Test func `exactly these changes happen`() throws {
    let context = Context()
    let changes = Recorder(of: context.group(Message.matcher))
    let hello = context.createEntity(with: Message(text: "Hello"))
    hello.set(Message(text: "Hello, too"))
    try changes.expect([.added(hello), .updated(hello, Message.cid)])
  }

  struct MessageID: Component { let value: Int }

  @Test func `two contexts have the same contents`() {
    let (context, loaded) = (Context(), Context())
    for context in [context, loaded] {
      context.createEntity(with: Message(text: "Hello"), MessageID(value: 1))
    }
    let difference = loaded.difference(from: context) { $0.get(MessageID.self)?.value }
    #expect(difference.isEmpty, "\(difference)")
    loaded.createEntity(with: MessageID(value: 2))
    #expect(
      loaded.difference(from: context) { $0.get(MessageID.self)?.value }.lines == [
        "+ 2 (MessageID)"
      ])
  }
}
