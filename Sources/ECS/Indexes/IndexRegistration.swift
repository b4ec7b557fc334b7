/// Keeps an index informed as long as it is referenced and not paused.
final class IndexRegistration: Sendable {
  let core: Core
  let sink: IndexSink
  private let incarnation: Int

  /// Ask within a section.
  private var isRegistered: Bool { sink.isRegistered }

  var component: CID { sink.cid }

  init(core: Core, sink: IndexSink, paused: Bool) {
    self.core = core
    self.sink = sink
    incarnation = core.section { core.incarnation }
    core.section {
      if !paused { start() }
      core.client?.notifier.tell(.createdIndex(sink.cid))
    }
  }

  deinit {
    core.sectionAfterReading { [core, sink] in
      if sink.isRegistered { core.sinks.unregister(sink) }
    }
  }

  var isPaused: Bool {
    core.read { !isRegistered }
  }

  func pause() {
    core.section {
      core.checkMode()
      guard isRegistered else { return }
      core.sinks.unregister(sink)
      sink.clear()
    }
  }

  func resume() {
    core.section {
      core.checkMode()
      if !isRegistered { start() }
    }
  }

  /// Whether the index has all entities of its context, and those come to it that an iteration was
  /// asked for.
  ///
  /// Ask within a section.
  var isAtWork: Bool { isRegistered && isOfPresentContext }

  /// Whether the context that the index was made for still exists.
  ///
  /// Ask within a section.
  var isOfPresentContext: Bool { core.incarnation == incarnation }

  private func start() {
    // An index that outlives its context stays empty, whichever context uses the core next.
    guard isOfPresentContext else { return }
    core.sinks.register(sink)
    sink.fill(from: core)
  }
}
