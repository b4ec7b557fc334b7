/// The settings of importing a stream.
public struct StreamOptions: Sendable, Hashable {
  /// How records follow each other.
  public var format = JSONStreamFormat.automatic

  /// The number of records that are applied together, of which observers are notified at once.
  ///
  /// There are fewer at the end, if records are so large that fewer fill sixteen chunks, and if
  /// other threads wait for the context: then a batch is cut after about two milliseconds.
  public var batchSize = 1000

  /// The number of bytes that are read at a time, from 1 to ``maximumChunkSize``; other numbers are
  /// clamped.
  public var chunkSize = 1 << 16 {
    didSet { chunkSize = min(max(1, chunkSize), StreamOptions.maximumChunkSize) }
  }

  /// The largest number of bytes that are read at a time.
  public static let maximumChunkSize = 1 << 30

  /// The number of bytes that a record may have; longer ones are refused without being kept.
  public var maximumRecordSize = 1 << 24

  /// The number of failures that the report lists; more are only counted.
  public var maximumFailures = 1000

  /// Whether the report lists the entities of all records, which takes memory for each of them.
  public var listsEntities = false

  /// Makes the default options.
  public init() {}
}
