/// A connection to a broker: bytes both ways.
///
/// For connections that ``RedisBroker`` does not make itself, such as encrypted ones. A stream is
/// used by one thread at a time, and closes when it is released.
public protocol ByteStream: AnyObject {
  /// Sends bytes from a position on.
  ///
  /// - Returns: How many were taken; 0 if none can be now.
  /// - Throws: ``BrokerError/unreachable(_:)``.
  func send(_ bytes: [UInt8], from position: Int) throws(BrokerError) -> Int

  /// Reads bytes into a buffer, from its start.
  ///
  /// - Returns: How many there were; 0 if there are none now.
  /// - Throws: ``BrokerError/unreachable(_:)`` if the other side has ended the connection, too.
  func receive(into buffer: inout [UInt8]) throws(BrokerError) -> Int

  /// Waits until bytes can be read or, if that is asked for, be sent.
  func wait(toSend: Bool, atMost time: Duration)
}
