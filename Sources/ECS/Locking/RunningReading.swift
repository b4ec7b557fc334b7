internal import CPlatform

/// A section of a thread that only reads, beside others that do.
///
/// ``RecursiveLock/beginReading()`` begins one. It belongs to the thread, which has a list of those
/// that it is in, the innermost first.
@usableFromInline
final class RunningReading {
  /// The number of the lock.
  private let lock: Int
  private let outer: RunningReading?

  /// What is to be done when the section has ended, since it needs the lock.
  private var afterwards: [() -> Void] = []

  private init(_ lock: Int, inside outer: RunningReading?) {
    (self.lock, self.outer) = (lock, outer)
  }

  private static var innermost: RunningReading? {
    // SAFETY: the thread has set it to a section, which lives until it is set to the one around it.
    unsafe c_running_reading().map {
      unsafe Unmanaged<RunningReading>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Whether this thread is in a section, of whichever lock.
  static var isAny: Bool { innermost != nil }

  /// The section of this thread that reads what a lock guards; nil if it is in none.
  static func of(_ lock: borrowing RecursiveLock) -> RunningReading? {
    var next = innermost
    while let reading = next {
      if reading.lock == lock.number { return reading }
      next = reading.outer
    }
    return nil
  }

  /// Lets this thread be in a section that reads what a lock guards, until `leave()`.
  static func enter(_ lock: borrowing RecursiveLock) -> RunningReading {
    let reading = RunningReading(lock.number, inside: innermost)
    unsafe c_set_running_reading(Unmanaged.passRetained(reading).toOpaque())
    return reading
  }

  /// Leaves the innermost section; returns what is to be done now.
  func leave() -> [() -> Void] {
    assert(RunningReading.innermost === self, "Sections that read have ended in another order.")
    unsafe c_set_running_reading(outer.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    unsafe Unmanaged.passUnretained(self).release()
    return afterwards
  }

  /// Does something when the section has ended.
  @inline(never)
  func runAfterwards(_ body: @escaping () -> Void) { afterwards.append(body) }
}
