import Sockets

/// A connection without encryption.
final class SocketStream: ByteStream {
  private let socket: Socket
  private let poll: SocketPoll

  /// Connects, to one address of the host after the other.
  ///
  /// - Throws: ``BrokerError/unreachable(_:)``, ``BrokerError/timedOut(_:)``.
  init(to address: RedisAddress, within time: Duration) throws(BrokerError) {
    let end = ContinuousClock.now + time
    let addresses: [SocketAddress]
    do throws(SocketFailure) {
      poll = try SocketPoll()
      addresses = try SocketAddress.addresses(of: address.host, port: address.port)
    } catch {
      throw .unreachable("\(address): \(error)")
    }
    var failure = SocketFailure("It has no address")
    for (index, address) in addresses.enumerated() {
      let share = ContinuousClock.now.duration(to: end) / (addresses.count - index)
      switch SocketStream.connect(to: address, poll, within: share) {
      case .success(let socket):
        self.socket = socket
        return
      case .failure(let error): failure = error
      }
    }
    throw .unreachable("\(address): \(failure)")
  }

  private static func connect(
    to address: SocketAddress, _ poll: SocketPoll, within time: Duration
  ) -> Result<Socket, SocketFailure> {
    do throws(SocketFailure) {
      let socket = try Socket(connectingTo: address)
      // What was asked for and not answered is asked again: it is better if it never comes.
      socket.forgetUnsent()
      let end = ContinuousClock.now + time
      while true {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return .failure(SocketFailure("It does not answer")) }
        let interest = SocketPoll.Interest(file: socket.file, writes: true)
        if poll.wait(for: [interest], atMost: left)[0] { break }
      }
      if let failure = socket.connectionFailure() { return .failure(SocketFailure(failure)) }
      return .success(socket)
    } catch {
      return .failure(error)
    }
  }

  func send(_ bytes: [UInt8], from position: Int) throws(BrokerError) -> Int {
    switch socket.write(bytes, from: position) {
    case .done(let count): return count
    case .later: return 0
    case .ended: throw .unreachable("The broker has ended the connection")
    case .failed(let reason): throw .unreachable(reason)
    }
  }

  func receive(into buffer: inout [UInt8]) throws(BrokerError) -> Int {
    switch socket.read(into: &buffer) {
    case .done(let count): return count
    case .later: return 0
    case .ended: throw .unreachable("The broker has ended the connection")
    case .failed(let reason): throw .unreachable(reason)
    }
  }

  func wait(toSend: Bool, atMost time: Duration) {
    _ = poll.wait(
      for: [SocketPoll.Interest(file: socket.file, writes: toSend)], atMost: time)
  }
}
