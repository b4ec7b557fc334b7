import ECSRemote

/// The transports that have to keep the same promises.
enum TransportKind: CaseIterable, Sendable {
  case sockets
  case platform
  #if AsyncHTTPClient
    case asyncHTTPClient
  #endif

  func make() -> any StreamingTransport {
    switch self {
    case .sockets: SocketTransport(maximumBodySize: 1 << 20)
    case .platform: PlatformTransport()
    #if AsyncHTTPClient
      case .asyncHTTPClient: AsyncHTTPClientTransport(maximumBodySize: 1 << 20)
    #endif
    }
  }
}
