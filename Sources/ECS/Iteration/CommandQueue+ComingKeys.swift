// What look-ups by key see inside an iteration: what was asked for is asked first.
extension CommandQueue {
  /// Whether anything was asked for in an iteration that runs.
  var hasSteps: Bool { !core.pointer.pointee.iterations.queued.steps.isEmpty }

  /// How much was asked for in it.
  var stepCount: Int { core.pointer.pointee.iterations.queued.steps.count }

  /// Identifies the outermost iteration.
  var id: UInt64 { core.pointer.pointee.iterations.queued.id }

  /// Calls a body with each entity of which a component may be another than storage says, from a
  /// step on, in the order of asking, as often as something was asked for.
  ///
  /// Not with those whose value an iteration or an update has at this moment, which nothing else
  /// may read: the second body is.
  ///
  /// Returns the number of steps.
  func forEachStep(
    _ key: ComponentKey, from first: Int, _ body: (Handle) -> Void, lent: (Handle) -> Void
  ) -> Int {
    var index = first
    while index < core.pointer.pointee.iterations.queued.steps.count {
      let step = core.pointer.pointee.iterations.queued.steps[index]
      index += 1
      guard step.component == nil || step.component == key else { continue }
      if isLent(key, of: step.handle) { lent(step.handle) } else { body(step.handle) }
    }
    return index
  }

  /// Whether an iteration or an update has the value of a component, as far as that does not wait.
  func isLent(_ key: ComponentKey, of handle: Handle) -> Bool {
    if isAboutToChange(key, of: handle) { return false }
    return core.exclusivity.anyIteration { $0.request.mutated.contains(key) }
      || core.pointer.pointee.taken.contains {
        $0.isOut && $0.cid.key == key && $0.handle == handle
      }
  }

  /// Does something when the iteration that runs has ended, among the changes that wait.
  func append(_ body: @escaping () -> Void) {
    core.pointer.pointee.iterations.deferred.append(body)
  }
}
