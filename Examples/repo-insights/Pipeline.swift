import Dispatch
import ECS
import ExampleSupport

/// Turns Git's log into entities.
///
/// The calling thread reads the log in batches. Parsers on other threads make an event entity of
/// each commit, and a reactive loop on a queue of its own makes authors, files, directories, weeks,
/// pairs and commits of the events. At most as many batches as there are places are on their way
/// at any time; where there is none, reading waits, and then Git does.
final class Pipeline {
  let context = Context(name: "Repository")
  let loop: ReactiveLoop
  private let places = DispatchSemaphore(value: 0)
  private let parsers = DispatchQueue(label: "parsers", attributes: .concurrent)
  private let running = DispatchGroup()
  private let boundary: Set<CommitKey>
  private let names = Names()

  private static let placeCount = 8

  /// - Parameters:
  ///   - boundary: The commits whose changes are not to be counted, as they are not known.
  ///   - isLive: Whether what comes in is looked at, author by author.
  init(boundary: Set<CommitKey> = [], isLive: Bool = false) {
    self.boundary = boundary
    context.setUniqueComponent(Configuration())
    context.setUniqueComponent(names)
    context.setUniqueComponent(Progress())
    var systems: [any System] = [
      AuthorSystem(context: context, names: names.people),
      FileSystem(context: context, names: names.paths),
      CommitSystem(context: context), ActivitySystem(context: context),
    ]
    systems.append(isLive ? ChangedFilesSystem(context: context) : PairSystem(context: context))
    systems.append(EventSweeper(context: context))
    loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "events"), systems: systems, name: "Events")
    for _ in 0..<Pipeline.placeCount { places.signal() }
  }

  /// Reads a log to its end; all its commits are in the context then.
  func run(_ log: GitLog) throws {
    while let batch = try log.nextBatch() {
      places.wait()
      if let failed = context.uniqueComponent(ParserFailure.self) {
        log.cancel()
        throw failed.failure
      }
      announce(batch, marker: log.marker, place: PlaceInPipeline(places))
    }
    try log.finish()
    running.wait()
    if let failed = context.uniqueComponent(ParserFailure.self) { throw failed.failure }
    loop.runUntilSettled()
  }

  /// Makes events of a batch on another thread.
  private func announce(_ batch: ArraySlice<UInt8>, marker: [UInt8], place: PlaceInPipeline) {
    let (context, boundary, names) = (context, boundary, names)
    parsers.async(group: running) {
      do throws(Failure) {
        var parser = LogParser(batch, marker: marker, boundary: boundary, names: names)
        var commits: [ParsedCommit] = []
        while let commit = try parser.next() { commits.append(commit) }
        context.perform {
          for commit in commits {
            _ = context.createEntity(with: CommitEvent(commit: commit), place)
          }
        }
      } catch {
        context.setUniqueComponent(ParserFailure(failure: error))
      }
    }
  }
}
