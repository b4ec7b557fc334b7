import CPlatform
import ECSTestSupport
import Testing

/// The numbers by which threads that read find places of their own.
@Suite struct ReaderNumberTests {
  private func onThreads(_ body: @escaping @Sendable () -> Void) {
    // A queue gets a thread that may have run others before.
    Threads.run(4) { _ in body() }
  }

  @Test func `A thread keeps its number until it was disputed again and again`() {
    onThreads {
      c_ensure_reader_number()
      let first = c_reader_number()
      expectNotEqual(first, 0)
      c_ensure_reader_number()
      expectEqual(c_reader_number(), first)
      var disputes = 0
      while c_reader_number() == first, disputes < 100 {
        c_dispute_reader_number()
        disputes += 1
      }
      expectTrue((1...16).contains(disputes))
      let second = c_reader_number()
      for _ in 0..<15 { c_dispute_reader_number() }
      expectEqual(c_reader_number(), second)
      c_dispute_reader_number()
      expectNotEqual(c_reader_number(), second)
    }
  }

  @Test func `No two threads get the same number`() {
    let numbers = Recorder<UInt>()
    onThreads {
      for _ in 0..<100 {
        let last = c_reader_number()
        while c_reader_number() == last { c_dispute_reader_number() }
        numbers.append(c_reader_number())
      }
    }
    expectEqual(Set(numbers.take()).count, 400)
  }
}
