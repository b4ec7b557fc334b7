extension Context {
  /// Makes a collector of the changes of a matcher's group; see
  /// ``Collector/init(group:type:paused:limit:)``.
  public func collector(
    for matcher: Matcher, type: ChangeKinds = .added, paused: Bool = false, limit: Int? = nil
  ) -> Collector {
    Collector(group: group(matcher), type: type, paused: paused, limit: limit)
  }
}
