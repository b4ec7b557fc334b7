import ECSRemote

extension RemoteConfiguration {
  /// Waits for real servers for as long as other tests may hold the threads that all tasks share.
  static var patient: RemoteConfiguration {
    var configuration = RemoteConfiguration()
    (configuration.timeout, configuration.deadline) = (.seconds(3600), .seconds(3600))
    return configuration
  }
}
