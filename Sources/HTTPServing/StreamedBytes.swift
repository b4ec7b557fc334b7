#if ExampleServer || Inspector
  package import Foundation

  /// The parts of a stream, in the form that FlyingFox sends as they come.
  package struct StreamedBytes: AsyncBufferedSequence {
    private let parts: AsyncStream<Data>

    package init(_ parts: AsyncStream<Data>) { self.parts = parts }

    package func makeAsyncIterator() -> Iterator { Iterator(parts: parts.makeAsyncIterator()) }

    package struct Iterator: AsyncBufferedIteratorProtocol {
      private var parts: AsyncStream<Data>.Iterator
      private var rest = Data()

      fileprivate init(parts: AsyncStream<Data>.Iterator) { self.parts = parts }

      package mutating func next() async -> UInt8? {
        if rest.isEmpty { rest = await parts.next() ?? Data() }
        return rest.popFirst()
      }

      package mutating func nextBuffer(suggested count: Int) async -> Data? {
        if rest.isEmpty { return await parts.next() }
        defer { rest = Data() }
        return rest
      }
    }
  }
#endif
