import ECSTestSupport
import Foundation
import Testing

/// What tests start other programs with.
@Suite(.noHangs) struct StartedProcessTests {
  @Test func `A process can be terminated that is started where signals are blocked`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["20"]
    var (all, earlier, after) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &earlier)
    let result = Result { try process.start() }
    unsafe pthread_sigmask(SIG_SETMASK, &earlier, &after)
    try result.get()
    unsafe expectEqual(sigismember(&after, SIGTERM), 1, "The thread blocks what it blocked before.")
    process.terminate()
    process.waitUntilExit()
    expectEqual(process.terminationReason, .uncaughtSignal)
    expectEqual(process.terminationStatus, SIGTERM)
  }
}
