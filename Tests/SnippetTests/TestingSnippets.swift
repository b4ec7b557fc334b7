import Dispatch
import ECS
import Testing

/// The code of the article "Testing".
@Suite struct TestingSnippets {
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
}
