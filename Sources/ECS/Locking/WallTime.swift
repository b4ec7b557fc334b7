import CPlatform

/// The time of day.
enum WallTime {
  /// The time since January 1, 1970, UTC, a few milliseconds late.
  static var now: Duration { .nanoseconds(c_coarse_time()) }
}
