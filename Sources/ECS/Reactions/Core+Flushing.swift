// Sinks may carry changes out later, many together: when they are asked, before a closure has
// values in hand, and when the outermost change ends, at the latest. So it is never seen that they
// were late.
extension Core {
  /// Whether a sink may be late: values are where they belong, and changes are not noted.
  var allowsLateness: Bool {
    // PERFORMANCE: B4.view: what follows an aggregate is notified while its keys are being built.
    pointer.pointee.section.mode.subtracting(.buildingKeys).isEmpty
      && pointer.pointee.taken.count == 0
  }

  /// Lets a sink carry its changes out when the outermost change ends.
  func settleAfterwards(_ sink: EntitySink) {
    guard !sink.isDirty else { return }
    sink.isDirty = true
    pointer.pointee.listeners.dirtySinks.append(sink)
    pointer.pointee.section.pending.insert(.late)
  }

  /// Lets all sinks carry out what they have put off.
  @inline(__always)
  func flushSinks() {
    if pointer.pointee.section.pending.contains(.late) { flushDirtySinks() }
  }

  @inline(never)
  private func flushDirtySinks() {
    var sinks: [EntitySink] = []
    swap(&sinks, &pointer.pointee.listeners.dirtySinks)
    pointer.pointee.section.pending.remove(.late)
    for sink in sinks {
      sink.isDirty = false
      sink.settle()
    }
    // The memory is used again.
    guard pointer.pointee.listeners.dirtySinks.isEmpty else { return }
    sinks.removeAll(keepingCapacity: sinks.count < 1024)
    swap(&sinks, &pointer.pointee.listeners.dirtySinks)
  }
}
