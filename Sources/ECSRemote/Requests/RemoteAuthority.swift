import ECS
import Foundation

/// Renews what requests are allowed by, once for all that wait.
// Guarded by its lock.
final class RemoteAuthority: @unchecked Sendable {
  private let renew: (@Sendable () async throws -> Bool)?
  private let limit: Duration
  private let clock: LoopClock
  private let shared = SharedTasks<Int, Bool>()
  private let lock = NSLock()
  private var renewals = 0

  /// Those that are being renewed by what runs: its own requests do not wait for it.
  @TaskLocal private static var renewing: Set<ObjectIdentifier> = []

  init(_ configuration: RemoteConfiguration) {
    renew = configuration.reauthorize
    (limit, clock) = (configuration.deadline, configuration.clock)
  }

  /// How often it was renewed.
  var count: Int { lock.withLock { renewals } }

  // Whether a request that was refused may be tried again. `seen` is the count when it was sent:
  // what was renewed since needs no other renewal.
  //
  // A renewal is not broken off because no request waits for it any more: what it was given by then
  // might be lost, and the old one be of no use.
  func renewed(since seen: Int, within time: Duration) async throws(RemoteError) -> Bool {
    let id = ObjectIdentifier(self)
    guard let renew, !RemoteAuthority.renewing.contains(id) else { return false }
    if count > seen { return true }
    return try await shared.run(seen, within: time, lasting: limit, clock) {
      _ async throws(RemoteError) in
      // It may have been renewed between the two looks.
      if self.count > seen { return true }
      do {
        let isRenewed = try await RemoteAuthority.$renewing.withValue(
          RemoteAuthority.renewing.union([id]), operation: renew)
        if isRenewed { self.lock.withLock { self.renewals += 1 } }
        return isRenewed
      } catch {
        if Task.isCancelled { throw .cancelled }
        throw .hook("renewing the authorization: \(error)")
      }
    }
  }
}
