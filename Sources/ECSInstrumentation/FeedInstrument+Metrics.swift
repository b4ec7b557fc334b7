#if Metrics
  public import CoreMetrics

  extension FeedInstrument {
    /// Counts the commits that a feed delivers and drops, and says how many it is behind.
    ///
    /// The label of values is `feed`. When the feed ends, it is not behind any more.
    ///
    /// - Parameters:
    ///   - prefix: What names begin with; the rest of a name follows an underscore.
    ///   - factory: What makes handlers; by default, that of the process.
    /// - Returns: The instrument.
    public static func metrics(
      prefix: String = "ecs", factory: any MetricsFactory = MetricsSystem.factory
    ) -> FeedInstrument {
      FeedInstrument { feed in
        let labels = [("feed", feed)]
        let delivered = Counter(
          label: "\(prefix)_feed_commits_total", dimensions: labels, factory: factory)
        let dropped = Counter(
          label: "\(prefix)_feed_dropped_commits_total", dimensions: labels, factory: factory)
        let lag = Gauge(label: "\(prefix)_feed_lag_commits", dimensions: labels, factory: factory)
        return { reading in
          if reading.delivered > 0 { delivered.increment(by: reading.delivered) }
          if reading.dropped > 0 { dropped.increment(by: reading.dropped) }
          lag.record(reading.lag)
        }
      }
    }
  }
#endif
