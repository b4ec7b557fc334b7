#if Inspector
  import ECSTestSupport
  import Foundation
  import HTTPServing
  import Synchronization
  import Testing

  /// Bytes that are sent as they come.
  ///
  /// A browser that does not read costs no work: FlyingFox asks for the next bytes when the system
  /// has taken those before.
  @Suite(.noHangs) struct StreamedBytesTests {
    @Test func `lines are made when the ones before are taken`() async throws {
      let count = Mutex(0)
      let bytes = StreamedBytes(
        AsyncStream {
          count.withLock { count in
            count += 1
            return count < 4 ? Data("\(count)\n".utf8) : nil
          }
        })
      var lines = bytes.makeAsyncIterator()
      for number in 1..<4 {
        expectEqual(count.withLock(\.self), number - 1)
        await expectEqual(lines.nextBuffer(suggested: 4_096), Data("\(number)\n".utf8))
        // Time for what would be made in advance.
        for _ in 0..<5 { await pause() }
        expectEqual(count.withLock(\.self), number)
      }
      await expectNil(lines.nextBuffer(suggested: 4_096))
    }
  }
#endif
