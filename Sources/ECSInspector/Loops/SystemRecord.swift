#if Inspector
  import ECS
  import JSONValues
  import Synchronization

  /// The numbers of a system.
  struct SystemNumbers: Sendable {
    let name: String
    var runs = 0
    var entities = 0
    var lastTime = Duration.zero
    var totalTime = Duration.zero
    var failures = 0
    var inFlight = 0
    var waiting = 0

    init(name: String) { self.name = name }

    init(_ statistics: SystemStatistics) {
      name = statistics.name
      (runs, entities) = (statistics.runs, statistics.entities)
      (lastTime, totalTime) = (statistics.lastTime, statistics.totalTime)
      failures = statistics.errors
      (inFlight, waiting) = (statistics.inFlight, statistics.waiting)
    }

    func json(lastError: String?) -> JSONValue {
      [
        "name": .string(name), "runs": .count(runs), "entities": .count(entities),
        "lastSeconds": .seconds(lastTime), "totalSeconds": .seconds(totalTime),
        "failures": .count(failures), "lastError": .optional(lastError),
        "inFlight": .count(inFlight), "waiting": .count(waiting),
      ]
    }
  }

  /// The last error of each system of a loop.
  final class LastErrors: SystemLogger {
    private let errors = Mutex<[String: String]>([:])

    func didFail(_ name: String, _ error: any Error) {
      let text = ValueText(error).text
      errors.withLock { $0[name] = text }
    }

    subscript(name: String) -> String? { errors.withLock { $0[name] } }
  }

  /// The numbers of the systems of a `Loop`, which no other thread can ask it for.
  final class SystemRecord: SystemLogger {
    let errors = LastErrors()
    private let systems: Mutex<(all: [SystemNumbers], indices: [String: Int])>

    init(_ statistics: [SystemStatistics]) {
      let all = statistics.map { SystemNumbers($0) }
      let indices = Dictionary(all.enumerated().map { ($1.name, $0) }) { first, _ in first }
      systems = Mutex((all, indices))
    }

    var numbers: [SystemNumbers] { systems.withLock { $0.all } }

    private func change(_ name: String, _ body: (inout SystemNumbers) -> Void) {
      systems.withLock { systems in
        if let index = systems.indices[name] { return body(&systems.all[index]) }
        systems.indices[name] = systems.all.count
        systems.all.append(SystemNumbers(name: name))
        body(&systems.all[systems.all.count - 1])
      }
    }

    func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
      change(name) {
        $0.runs += 1
        $0.entities += entities
        $0.lastTime = time
        $0.totalTime += time
      }
    }

    func didFail(_ name: String, _ error: any Error) {
      errors.didFail(name, error)
      change(name) { $0.failures += 1 }
    }
  }

  /// The records of all inspectors that show a loop, as one logger: only the loop's own thread can
  /// give it another one.
  final class SystemRecords: SystemLogger {
    private let records = Mutex<[SystemRecord]>([])

    func add(_ record: SystemRecord) { records.withLock { $0.append(record) } }

    func remove(_ record: SystemRecord) { records.withLock { $0.removeAll { $0 === record } } }

    func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
      for record in records.withLock(\.self) {
        record.didRun(name, in: phase, entities: entities, time: time)
      }
    }

    func didFail(_ name: String, _ error: any Error) {
      for record in records.withLock(\.self) { record.didFail(name, error) }
    }
  }
#endif
