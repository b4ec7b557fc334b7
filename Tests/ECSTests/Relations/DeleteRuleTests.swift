import ECS
import ECSTestSupport
import Testing

@Suite struct DeleteRuleTests {
  let context = Context()

  @Test func `Destroying a target takes the link from its sources`() {
    let (article, author) = (context.createEntity(), context.createEntity())
    article.relate(WrittenBy.self, to: author)
    author.destroy()
    expectTrue(article.isAlive)
    expectNil(article.target(WrittenBy.self))
    expectEqual(context.linkCount(WrittenBy.self), 0)
  }

  @Test func `A new entity in the slot of a destroyed one is not related to anything`() {
    let (article, author) = (context.createEntity(), context.createEntity())
    article.relate(WrittenBy.self, to: author)
    author.destroy()
    let next = context.createEntity()
    expectTrue(next.sources(WrittenBy.self).isEmpty)
    expectNil(article.target(WrittenBy.self))
  }

  @Test func `Destroying a target destroys the sources of a cascading relation, at once`() {
    let entities = context.createEntities(4, with: Health(points: 0))
    entities[1].relate(PartOf.self, to: entities[0])
    entities[2].relate(PartOf.self, to: entities[1])
    context.perform {
      entities[0].destroy()
      expectEqual(entities.map(\.isAlive), [false, false, false, true])
    }
    expectEqual(context.statistics.staleWrites, 0)
  }

  @Test func `Observers see a cascade in the order of the chain`() {
    let entities = context.createEntities(4, with: Health(points: 0))
    for (child, parent) in [(2, 0), (1, 0), (3, 2)] {
      entities[child].relate(PartOf.self, to: entities[parent])
    }
    let removed = Recorder<Entity>()
    let subscription = context.group(Health.matcher).observeChanges(.removed) {
      removed.append($0.entity)
    }
    entities[0].destroy()
    expectEqual(removed.items, [0, 2, 1, 3].map { entities[$0] })
    withExtendedLifetime(subscription) {}
  }

  @Test func `A cycle of a cascading relation is destroyed as a whole`() {
    let entities = context.createEntities(3, with: Health(points: 0))
    for number in 0..<3 {
      entities[number].relate(PartOf.self, to: entities[(number + 1) % 3])
    }
    entities[1].destroy()
    expectEqual(context.count, 0)
    expectEqual(context.linkCount(PartOf.self), 0)
  }

  @Test func `A cascade goes through a long chain`() {
    let entities = context.createEntities(Effort.chainLength, with: Tag())
    context.perform {
      for number in 1..<entities.count {
        entities[number].relate(PartOf.self, to: entities[number - 1])
      }
    }
    entities[0].destroy()
    expectEqual(context.count, 0)
    expectEqual(context.linkCount(PartOf.self), 0)
  }

  @Test func `All entities can be destroyed, whatever their relations say`() {
    let entities = context.createEntities(3, with: Tag())
    entities[1].relate(PartOf.self, to: entities[0])
    entities[2].relate(PaidBy.self, to: entities[0])
    context.destroyAllEntities()
    expectEqual(context.count, 0)
    expectEqual(context.statistics.staleWrites, 0)
  }

  // MARK: Deny

  @Test func `A denied destruction throws and changes nothing`() {
    let (order, customer) = (context.createEntity(), context.createEntity())
    order.relate(PaidBy.self, to: customer)
    let error = #expect(throws: DestructionDenied.self) { try customer.destroyIfAllowed() }
    expectEqual(error?.target, customer)
    expectEqual(error?.source, order)
    expectEqual(error?.relation, "PaidBy")
    expectTrue(customer.isAlive)
    expectEqual(order.target(PaidBy.self), customer)
  }

  @Test func `Destruction is allowed once nothing is related`() throws {
    let (order, customer) = (context.createEntity(), context.createEntity())
    order.relate(PaidBy.self, to: customer)
    order.unrelate(PaidBy.self)
    try customer.destroyIfAllowed()
    expectFalse(customer.isAlive)
    try order.destroyIfAllowed()
    expectEqual(context.count, 0)
  }

  @Test func `Destruction is denied because of entities that would be destroyed, too`() {
    let entities = context.createEntities(3, with: Tag())
    entities[1].relate(PartOf.self, to: entities[0])
    entities[2].relate(PaidBy.self, to: entities[1])
    let error = #expect(throws: DestructionDenied.self) { try entities[0].destroyIfAllowed() }
    expectEqual(error?.target, entities[1])
    expectEqual(context.count, 3)
  }

  @Test func `Entities that would be destroyed, too, deny nothing`() throws {
    let entities = context.createEntities(2, with: Tag())
    entities[1].relate(PartOf.self, to: entities[0]).relate(PaidBy.self, to: entities[0])
    try entities[0].destroyIfAllowed()
    expectEqual(context.count, 0)
  }

  @Test func `Destroying unconditionally overrides a denial and leaves no link`() {
    let (order, customer) = (context.createEntity(), context.createEntity())
    order.relate(PaidBy.self, to: customer)
    customer.destroy()
    expectTrue(order.isAlive)
    expectNil(order.target(PaidBy.self))
  }
}
