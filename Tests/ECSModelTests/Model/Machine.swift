import ECS

struct StepFailure: Error {}

/// What can run programs: a context, or the reference that tells what a context should do.
protocol Machine: AnyObject {
  var trace: [Event] { get set }

  /// Runs what an observer does; the second is the entity that the change was about.
  var react: (Reaction, Int) -> Void { get set }

  func create(_ values: [Value]) -> Int
  func createMany(_ count: Int, _ values: [Value])
  func set(_ entity: Int, _ value: Value)
  func setIfChanged(_ entity: Int, _ value: Value)
  func update(_ entity: Int, _ value: Value, _ body: () throws -> Void)
  func remove(_ entity: Int, _ kind: Int)
  func destroy(_ entity: Int)
  func destroyAll()
  func number(_ entity: Int, _ kind: Int) -> Int?
  func isAlive(_ entity: Int) -> Bool

  /// The holder of a unique component, and its number.
  func uniqueNumber(_ kind: Int) -> (holder: Int, number: Int)?

  func setUnique(_ value: Value)
  func removeUnique(_ kind: Int)
  func updateUnique(_ value: Value)
  func withUnique(_ value: Value, _ body: () -> Void)

  func getOrCreate(_ key: Int)
  func assign(_ entity: Int, _ key: Int)

  func perform(_ body: () throws -> Void)
  func forEach(_ group: Int, _ body: (Int) -> Void)

  /// Calls the body with the number of the visit and the entity.
  func visit(_ visit: Visit, _ body: (Int, Int) throws -> Void)

  func makeGroup(_ filter: Filter)
  func makeCollector(_ group: Int, _ kinds: ChangeKinds, paused: Bool, limit: Int?)
  func releaseCollector(_ collector: Int)
  func pauseCollector(_ collector: Int, _ isPaused: Bool)
  func drain(_ collector: Int, _ way: Drain) -> [Int]?
  func makeIndex(_ kind: Int, several: Bool, paused: Bool)
  func releaseIndex(_ index: Int)
  func pauseIndex(_ index: Int, _ isPaused: Bool)
  func observe(_ subject: Subject, _ kinds: ChangeKinds, _ reaction: Reaction)
  func cancel(_ subscription: Int)
  func compact()
}
