import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// The address that a socket connects to, as the system has it.
package struct SocketAddress: Sendable {
  let family: Int32
  let bytes: [UInt8]

  /// The addresses of a host, in the order in which to try them.
  ///
  /// It may wait for the network, for as long as the system likes.
  ///
  /// - Throws: ``SocketFailure``.
  package static func addresses(of host: String, port: Int) throws(SocketFailure) -> [SocketAddress]
  {
    // SAFETY: All of it is zero, which names no memory.
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var first: UnsafeMutablePointer<addrinfo>?
    // SAFETY: The texts live during the call, and the list until it is freed below.
    let code = unsafe getaddrinfo(host, String(port), &hints, &first)
    guard code == 0 else {
      throw SocketFailure("\(host): \(unsafe String(cString: gai_strerror(code)))")
    }
    defer { unsafe freeaddrinfo(first) }
    var found: [SocketAddress] = []
    var next = unsafe first
    while let info = unsafe next {
      if let address = unsafe info.pointee.ai_addr {
        // SAFETY: The system says how many bytes the address has.
        let bytes = unsafe UnsafeRawBufferPointer(
          start: address, count: Int(info.pointee.ai_addrlen))
        found.append(
          SocketAddress(family: unsafe info.pointee.ai_family, bytes: unsafe Array(bytes)))
      }
      unsafe next = unsafe info.pointee.ai_next
    }
    guard !found.isEmpty else { throw SocketFailure("\(host) has no address") }
    return found
  }
}
