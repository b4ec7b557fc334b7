#if Logging
  public import Logging

  extension FeedInstrument {
    /// Logs a warning when commits were dropped, and a line when the feed ends.
    ///
    /// The metadata is `feed`, `lag` and `dropped`.
    ///
    /// - Parameter logger: Where to log.
    /// - Returns: The instrument.
    public static func logging(_ logger: Logger) -> FeedInstrument {
      FeedInstrument { feed in
        { reading in
          let metadata: Logger.Metadata = [
            "feed": "\(feed)", "lag": "\(reading.lag)", "dropped": "\(reading.dropped)",
          ]
          if reading.dropped > 0 { logger.warning("commits were dropped", metadata: metadata) }
          if reading.isEnd { logger.debug("the feed has ended", metadata: metadata) }
        }
      }
    }
  }
#endif
