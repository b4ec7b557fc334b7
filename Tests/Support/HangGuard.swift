import Foundation
package import Testing

/// Stops the process, with the names of the tests, when tests wait for what never comes.
///
/// All tests of a run share a few threads, so the time that one takes says little: it goes on when
/// the others let it, which a limit of its time would take for its fault. What tells is that the
/// whole process stands still, and those that it has started.
package struct HangGuard: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let number = HangWatch.shared.begin(test.name)
    defer { HangWatch.shared.end(number) }
    try await function()
  }
}

extension Trait where Self == HangGuard {
  /// The process stops when it stands still for a minute while a test of the suite runs.
  package static var noHangs: HangGuard { HangGuard() }
}

/// Looks, on a thread of its own, whether the process or its children use any time of a processor.
// Guarded by its lock.
package final class HangWatch: @unchecked Sendable {
  static let shared = HangWatch(limit: 60)

  private let limit: Double
  private let lock = NSLock()
  private var running: [Int: String] = [:]
  private var lastNumber = 0
  private var isWatching = false

  /// Makes a watch that stops the process after so many seconds.
  package init(limit: Double) { self.limit = limit }

  /// A test begins; returns a number to end it with.
  package func begin(_ name: String) -> Int {
    let (number, isFirst) = lock.withLock {
      lastNumber += 1
      running[lastNumber] = name
      defer { isWatching = true }
      return (lastNumber, !isWatching)
    }
    if isFirst { Thread.detachNewThread { self.watch() } }
    return number
  }

  package func end(_ number: Int) {
    lock.withLock { running[number] = nil }
  }

  private func watch() {
    var (busy, since) = (Self.processorTime, Date())
    while true {
      Thread.sleep(forTimeInterval: limit / 60)
      let (time, now) = (Self.processorTime, Date())
      let names = lock.withLock { running.values.sorted() }
      if time - busy > limit / 600 || names.isEmpty {
        (busy, since) = (time, now)
      } else if now.timeIntervalSince(since) > limit {
        fatalError("Nothing has gone on for \(limit) s in these tests: \(names)")
      }
    }
  }

  /// The time that processors have spent on the process and its children, in seconds; not on this
  /// thread, which spends more the more processes there are to look at.
  private static var processorTime: Double {
    var ended = rusage()
    #if canImport(Glibc)
      unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &ended)
    #else
      getrusage(RUSAGE_CHILDREN, &ended)
    #endif
    let own = Double(clock()) / Double(CLOCKS_PER_SEC) - ThreadTime.now
    return own + seconds(ended.ru_utime) + seconds(ended.ru_stime) + childrenTime
  }

  private static func seconds(_ time: timeval) -> Double {
    let micros: Double = Double(time.tv_usec)
    return Double(time.tv_sec) + micros / 1e6
  }

  /// The same for children that run, where files tell it.
  private static var childrenTime: Double {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var ticks = 0
    for process in processes where Int32(process) != nil {
      guard let line = beginning(ofFile: "/proc/\(process)/stat"),
        // The name in parentheses may contain anything.
        let end = line.lastIndex(of: ")")
      else { continue }
      let fields = line[end...].split(separator: " ")
      guard fields.count > 13, Int32(fields[2]) == getpid() else { continue }
      ticks += (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The beginning of a file, if it can be read.
  // Not by Foundation, which leaks what it has allocated if a process ends while its file is read.
  private static func beginning(ofFile path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
