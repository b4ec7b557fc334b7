/// Stands in for the protocol of the same name in swift-service-lifecycle.
public protocol Service: Sendable {
  func run() async throws
}

/// Stands in for the function of the same name, as if the process were asked at once to end.
public func gracefulShutdown() async throws {}

/// Stands in for the type of the same name: what the articles use of it.
public struct ServiceGroup: Sendable {
  private let services: [any Service]

  /// Makes a group.
  public init(services: [any Service]) { self.services = services }

  /// Runs the services, one after the other.
  public func run() async throws {
    for service in services { try await service.run() }
  }
}
