#if AddressSanitizer || ThreadSanitizer
  import Foundation
  import Synchronization
  import Testing

  /// Planted faults: a build with a sanitizer that misses them checks nothing.
  @Suite struct SanitizerRaceTests {
    #if AddressSanitizer
      @Test func `A write behind the end of memory stops the process`() async {
        await #expect(processExitsWith: .failure) {
          let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
          unsafe (bytes + 8).pointee = 1
          unsafe bytes.deallocate()
        }
      }

      @Test func `A read of freed memory stops the process`() async {
        await #expect(processExitsWith: .failure) {
          let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
          unsafe bytes.initialize(repeating: 1, count: 8)
          unsafe bytes.deallocate()
          unsafe print(bytes[0])
        }
      }

      #if os(Linux)
        @Test func `An object that leaks makes the process fail`() async {
          await #expect(processExitsWith: .failure) {
            final class Leaked {
              var itself: Leaked?
            }
            for _ in 0..<100 {
              let leaked = Leaked()
              leaked.itself = leaked
            }
          }
        }
      #endif
    #endif

    #if ThreadSanitizer
      @Test func `A race stops the process`() async {
        await #expect(processExitsWith: .failure) {
          final class Counter: Sendable {
            // A planted race: two threads add to it without a lock.
            nonisolated(unsafe) var count = 0
            let finished = Atomic(0)
          }
          let counter = Counter()
          // Once: of threads that have added for long, the sanitizer may have forgotten what they did
          // first. Both have added before the process ends, in an order that promises nothing.
          @Sendable func add() {
            unsafe counter.count += 1
            counter.finished.add(1, ordering: .relaxed)
          }
          Thread.detachNewThread(add)
          add()
          while counter.finished.load(ordering: .relaxed) < 2 {}
          print(unsafe counter.count)
        }
      }
    #endif
  }
#endif
