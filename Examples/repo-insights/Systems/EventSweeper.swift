import ECS

/// Destroys the events that all systems have seen, and counts them as progress.
///
/// Parsers announce commits at any time, also in the middle of a pass. Those that came too late for
/// the first system lack what it would have set, and so are left for the next pass.
final class EventSweeper: CleanupSystem {
  let name = "Events"
  private let context: Context
  private let done: Group

  init(context: Context) {
    self.context = context
    done = context.group(Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
  }

  func cleanup() {
    context.perform {
      context.updateUniqueComponent(Progress.self) { $0.commits += done.count }
      for event in done { event.destroy() }
    }
  }
}
