import ECS
public import Foundation

/// How a stream is imported.
public struct StreamOptions: Sendable, Hashable {
  /// How records follow each other.
  public var format = JSONStreamFormat.automatic

  /// The number of records that are applied together: observers hear of as many at once, or of
  /// fewer if they are so large that chunks give no more.
  public var batchSize = 1000

  /// The number of bytes that are read at a time: from 1 to ``maximumChunkSize``, to which other
  /// numbers are brought.
  public var chunkSize = 1 << 16 {
    didSet { chunkSize = min(max(1, chunkSize), StreamOptions.maximumChunkSize) }
  }

  /// The largest number of bytes that are read at a time.
  public static let maximumChunkSize = 1 << 30

  /// The number of bytes that a record may have; longer ones are refused without being kept.
  public var maximumRecordSize = 1 << 24

  /// The number of failures that the report lists; more are only counted.
  public var maximumFailures = 1000

  /// Makes the options that are right for most.
  public init() {}
}

/// How far the import of a stream has come.
public struct ImportProgress: Sendable, Hashable {
  /// The number of bytes that were read.
  public let bytes: Int

  /// The number of bytes in all; nil if that is unknown.
  public let totalBytes: Int?

  /// What was done by now, without the list of failures.
  public let report: ImportReport
}

extension Mapper {
  /// Imports the records of a file, in memory that does not grow with it.
  ///
  /// As ``importStream(with:options:totalBytes:progress:read:)``.
  ///
  /// - Throws: The error of the file system if the file can't be read.
  @discardableResult
  public func importFile(
    _ url: URL, with recipe: Recipe, options: StreamOptions = StreamOptions(),
    progress: (ImportProgress) -> Bool = { _ in true }
  ) throws -> ImportReport {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try importStream(
      with: recipe, options: options, totalBytes: size(of: url), progress: progress
    ) {
      try file.read(upToCount: options.chunkSize) ?? Data()
    }
  }

  /// The number of bytes in a file; nil if that is unknown, as of a pipe.
  private func size(of url: URL) -> Int? {
    let file = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    // Files that the system makes while they are read say that they are empty.
    guard file?[.type] as? FileAttributeType == .typeRegular, let size = file?[.size] as? Int,
      size > 0
    else { return nil }
    return size
  }

  /// Imports records, in memory that does not grow with their number.
  ///
  /// Records are lines or the elements of one list. Each is made as by ``make(_:from:only:)``; bad
  /// ones are left out and reported, longer ones than allowed too. Records are applied in batches:
  /// what was applied before the import ends, for whatever reason, stays. A list that is broken
  /// between its elements ends the import with a failure.
  ///
  /// - Parameters:
  ///   - recipe: The mapping.
  ///   - options: The format and the limits.
  ///   - totalBytes: The number of bytes in all, for the progress.
  ///   - progress: Called after each batch, outside of the context's critical section; returning
  ///     false ends the import. So does cancelling the task that it runs in, which is looked for
  ///     before each reading as well.
  ///   - read: Gives the next bytes; none, at the end.
  /// - Returns: What was done.
  /// - Throws: What `read` throws.
  @discardableResult
  public func importStream<Failure: Error>(
    with recipe: Recipe, options: StreamOptions = StreamOptions(), totalBytes: Int? = nil,
    progress: (ImportProgress) -> Bool = { _ in true }, read: () throws(Failure) -> Data
  ) throws(Failure) -> ImportReport {
    var run = StreamImport(self, recipe, options)
    while !run.isOver {
      if Task.isCancelled {
        run.report.isCancelled = true
        return run.report
      }
      let chunk = try read()
      if chunk.isEmpty {
        run.finish()
      } else {
        run.take(chunk)
      }
      while run.hasFullBatch || (run.isOver && run.hasBatch) {
        run.applyBatch()
        let state = ImportProgress(
          bytes: run.bytes, totalBytes: totalBytes, report: run.report.withoutFailures)
        guard progress(state), !Task.isCancelled else {
          run.report.isCancelled = !run.isOver || run.hasBatch
          return run.report
        }
      }
    }
    return run.report
  }
}

extension ImportReport {
  var withoutFailures: ImportReport {
    var report = self
    report.failures = []
    return report
  }
}

/// The import of one stream.
private struct StreamImport {
  private enum Item {
    case record(Result<DecodedRecord, RecipeError>, line: Int)
  }

  private let mapper: Mapper
  private let recipe: Recipe
  private let options: StreamOptions
  private var scanner: JSONRecordScanner
  private var batch: [Item] = []
  private var next = 0

  /// The bytes of the records that wait to be applied.
  private var waitingBytes = 0
  private(set) var bytes = 0
  private(set) var isOver = false
  var report = ImportReport()

  init(_ mapper: Mapper, _ recipe: Recipe, _ options: StreamOptions) {
    (self.mapper, self.recipe, self.options) = (mapper, recipe, options)
    scanner = JSONRecordScanner(format: options.format, limit: options.maximumRecordSize)
  }

  var hasBatch: Bool { next < batch.count }

  /// Whether there is a batch to apply, by the number of records or of their bytes.
  var hasFullBatch: Bool {
    batch.count - next >= max(1, options.batchSize)
      || (hasBatch && waitingBytes >= 16 * options.chunkSize)
  }

  mutating func take(_ chunk: Data) {
    bytes += chunk.count
    for byte in [UInt8](chunk) {
      if isOver { return }
      add { (scanner) throws(JSONRecordScanner.Failure) in try scanner.take(byte) }
    }
  }

  mutating func finish() {
    add { (scanner) throws(JSONRecordScanner.Failure) in try scanner.finish() }
    isOver = true
  }

  private mutating func add(
    _ take: (inout JSONRecordScanner) throws(JSONRecordScanner.Failure)
      -> JSONRecordScanner.Record?
  ) {
    do throws(JSONRecordScanner.Failure) {
      guard let record = try take(&scanner) else { return }
      waitingBytes += record.bytes.count
      batch.append(.record(decoded(record), line: record.line))
    } catch {
      switch error {
      case .tooLong(let line):
        batch.append(.record(refused(.recordTooLong(options.maximumRecordSize)), line: line))
      case .unreadable(let error):
        batch.append(.record(refused(.syntax(error)), line: error.line))
        isOver = true
      }
    }
  }

  private func refused(_ reason: RecipeError.Reason) -> Result<DecodedRecord, RecipeError> {
    .failure(RecipeError(recipe: recipe.name, path: .root, reason: reason))
  }

  private func decoded(
    _ record: JSONRecordScanner.Record
  ) -> Result<DecodedRecord, RecipeError> {
    let data: JSONValue
    do throws(JSONSyntaxError) {
      data = try JSONParser.parse(record.bytes)
    } catch {
      return refused(.syntax(error.below(line: record.line)))
    }
    return Result { () throws(RecipeError) in try DecodedRecord(recipe, data, at: .root) }
  }

  mutating func applyBatch() {
    let items = batch[next...].prefix(max(1, options.batchSize))
    let outcomes = mapper.context.perform {
      var plan = ChangePlan(mapper)
      return items.map { item in
        switch item {
        case .record(let record, let line): (mapper.carryOut(record, in: &plan), line)
        }
      }
    }
    for (result, line) in outcomes {
      switch result {
      case .success(let outcome): report.note(outcome)
      case .failure(let error):
        let failure = ImportReport.Failure(position: report.count, line: line, error: error)
        report.note(failure, limit: options.maximumFailures)
      }
    }
    next += items.count
    if next == batch.count {
      waitingBytes = 0
      batch.removeAll(keepingCapacity: true)
      next = 0
    }
  }
}

extension JSONSyntaxError {
  /// The error of a record, told by the line in the stream.
  func below(line first: Int) -> JSONSyntaxError {
    JSONSyntaxError(reason: reason, offset: offset, line: line + first - 1, column: column)
  }
}
