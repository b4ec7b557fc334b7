import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// What a sender says of itself.
extension SenderTests {
  @Test func `that the broker is away is said at once, and once, and that it is back`() throws {
    let sender = try cluster { $0.patience = nil }.makeSender()
    let told = Mistakes()
    let observation = sender.observe { told.add("\($0)") }
    broker.plan { _ in .lostRequest }
    sender.enqueue([Count(key: 1, number: 1)])
    sender.step()
    expectEqual(told.all.map { $0.hasPrefix("failed") }, [true])
    for _ in 0..<5 { sender.step() }
    expectEqual(told.all.count, 1)
    broker.plan { _ in nil }
    for _ in 0..<3 { sender.step() }
    expectEqual(told.all.dropFirst(), ["recovered"])
    expectEqual(sent, 1)
    withExtendedLifetime(observation) {}
  }
}
