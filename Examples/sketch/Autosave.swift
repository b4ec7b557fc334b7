import Dispatch
import ECS
import ECSSnapshots
import ExampleSupport
import Foundation
import Synchronization

/// What is derived from a drawing and kept of it, by systems.
struct Upkeep {
  let loop: ReactiveLoop

  init(_ drawing: Drawing, _ schema: Schema, autosave: URL) {
    let context = drawing.context
    Measure.measure(context)
    let isTold = Mutex(false)
    loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "upkeep"),
      systems: [Measure(context), Autosave(context, schema, autosave)], name: "upkeep",
      retry: .withNextTrigger
    ) { failure in
      // The loop tries again with each change; the failure is shown once.
      guard
        !isTold.withLock({ wasTold in
          defer { wasTold = true }
          return wasTold
        })
      else { return }
      let reason = failure.error.map { "\($0)" } ?? "\(failure)"
      warn("can't save \(autosave.path): \(reason)")
    }
  }
}

/// Finds out how far the shapes reach, after any change, undoing included.
final class Measure: ReactiveSystem {
  let collector: Collector
  private let context: Context

  init(_ context: Context) {
    self.context = context
    collector = context.collector(for: Frame.matcher, type: .addedUpdatedOrRemoved)
  }

  func execute(entities: EntitySet) { Measure.measure(context) }

  static func measure(_ context: Context) {
    var extent = Extent()
    context.group(Frame.matcher).withEach { (_, frame: Frame) in
      extent.columns = max(extent.columns, frame.columns.upperBound)
      extent.rows = max(extent.rows, frame.rows.upperBound)
    }
    context.setUniqueComponent(extent)
  }
}

/// Saves a drawing beside its file after each change, so that a crash loses nothing.
final class Autosave: ReactiveSystem {
  let collector: Collector
  private let context: Context
  private let schema: Schema
  private let url: URL

  init(_ context: Context, _ schema: Schema, _ url: URL) {
    (self.context, self.schema, self.url) = (context, schema, url)
    collector = context.collector(
      for: Matcher(any: [Frame.cid, Figure.cid, Ink.cid, Layer.cid]), type: .addedUpdatedOrRemoved)
  }

  func execute(entities: EntitySet) throws {
    try context.snapshot(schema).write(to: url)
  }
}
