public import ECS
public import Foundation
public import JSONValues

extension Mapper {
  /// Imports the records of a file, in memory that does not grow with it.
  ///
  /// Like ``importStream(at:with:options:absentFrom:totalBytes:progress:read:)``.
  ///
  /// ```swift
  /// try mapper.importFile(file, at: "data.items", with: users)
  /// ```
  ///
  /// - Throws: The error of the file system if the file can't be read, and `JSONPathError` if the
  ///   path is not valid.
  @discardableResult
  public func importFile(
    _ url: URL, at path: String? = nil, with recipe: Recipe,
    options: StreamOptions = StreamOptions(), absentFrom group: Group? = nil,
    progress: (ImportProgress) -> Bool = { _ in true }
  ) throws -> ImportReport {
    let path = try path.map { text in try JSONPath(text) } ?? .root
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return try importStream(
      at: path, with: recipe, options: options, absentFrom: group, totalBytes: size(of: url),
      progress: progress
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
  /// Records are lines or the elements of one list. Each is applied like ``make(_:from:only:)``;
  /// bad ones, and those that are too long, are skipped and reported. Records are applied in
  /// batches: what was applied before the import ends, for whatever reason, stays. A list that is
  /// broken between its elements ends the import with a failure.
  ///
  /// - Parameters:
  ///   - path: Where the list is, such as `try JSONPath("data.items")`; by default, the outermost
  ///     value. What is before it is skipped, and what is after it is not read.
  ///   - recipe: The mapping.
  ///   - options: The format and the limits.
  ///   - group: The group whose entities are reported if they are not in the data; see
  ///     ``ImportReport/absent``.
  ///   - totalBytes: The total number of bytes, for the progress.
  ///   - progress: Called after each batch, outside the context's critical section; returning
  ///     false ends the import. So does cancelling the task that it runs in, which is also checked
  ///     before each reading.
  ///   - read: Returns the next bytes; none at the end.
  /// - Returns: What was done.
  /// - Throws: What `read` throws.
  @discardableResult
  public func importStream<Failure: Error>(
    at path: JSONPath = .root, with recipe: Recipe, options: StreamOptions = StreamOptions(),
    absentFrom group: Group? = nil, totalBytes: Int? = nil,
    progress: (ImportProgress) -> Bool = { _ in true }, read: () throws(Failure) -> Data
  ) throws(Failure) -> ImportReport {
    var stream = StreamImport(self, recipe, options, path, group.map(AbsenceSearch.init(in:)))
    while !stream.isOver {
      if Task.isCancelled {
        stream.run.cancel()
        break
      }
      let chunk = try read()
      if chunk.isEmpty {
        stream.finish()
      } else {
        stream.take(chunk)
      }
      while stream.hasFullBatch || (stream.isOver && stream.hasBatch) {
        stream.applyBatch()
        let state = ImportProgress(
          bytes: stream.bytes, totalBytes: totalBytes, report: stream.run.report.withoutLists)
        guard progress(state), !Task.isCancelled else {
          if !stream.isOver || stream.hasBatch { stream.run.cancel() }
          return stream.run.finished()
        }
      }
    }
    return stream.run.finished()
  }
}

extension ImportReport {
  fileprivate var withoutLists: ImportReport {
    var report = self
    (report.failures, report.entities) = ([], [])
    return report
  }
}

/// The import of one stream.
private struct StreamImport {
  private let recipe: Recipe
  private let options: StreamOptions
  private let keepsData: Bool
  private var scanner: JSONRecordScanner
  private var batch: [ImportItem] = []
  private var trees = RecordTreeReader()
  private var next = 0

  /// The bytes of the records that wait to be applied.
  private var waitingBytes = 0
  private(set) var bytes = 0
  private(set) var isOver = false
  var run: ImportRun

  init(
    _ mapper: Mapper, _ recipe: Recipe, _ options: StreamOptions, _ path: JSONPath,
    _ search: AbsenceSearch?
  ) {
    (self.recipe, self.options) = (recipe, options)
    keepsData = search != nil
    scanner = JSONRecordScanner(
      format: options.format, at: path, limit: options.maximumRecordSize)
    run = ImportRun(
      mapper, recipe, limit: options.maximumFailures, listsEntities: options.listsEntities, search)
  }

  var hasBatch: Bool { next < batch.count }

  /// Whether there is a batch to apply, by the number of records or of their bytes.
  var hasFullBatch: Bool {
    batch.count - next >= max(1, options.batchSize)
      || (hasBatch && waitingBytes >= 16 * options.chunkSize)
  }

  mutating func take(_ chunk: Data) {
    bytes += chunk.count
    scanner.append(chunk)
    while !isOver, let found = scanner.next() { add(found) }
  }

  mutating func finish() {
    if let found = scanner.finish() { add(found) }
    isOver = true
  }

  private mutating func add(_ found: JSONRecordScanner.Found) {
    var item: ImportItem
    switch found {
    case .record(let range, let location):
      waitingBytes += range.count
      // PERFORMANCE: P4: made where they stay, since copies count references.
      if !keepsData, let layout = recipe.definition.layout,
        let tree = trees.read(scanner.bytes, in: range, by: layout)
      {
        return batch.append(ImportItem(.tree(tree), at: location))
      }
      do throws(JSONSyntaxError) {
        item = ImportItem(
          recipe, try JSONParser.parse(scanner.bytes, in: range), only: nil, keepsData: keepsData,
          &trees)
      } catch {
        item = refused(.syntax(error.below(location)))
      }
      item.location = location
    case .tooLong(let location):
      item = refused(.recordTooLong(options.maximumRecordSize))
      item.location = location
    case .unreadable(let error):
      item = refused(.syntax(error))
      item.location = StreamLocation(offset: error.offset, line: error.line, column: error.column)
      isOver = true
    case .noList(let reason, let path):
      item = refused(reason, at: path)
      isOver = true
    }
    batch.append(item)
  }

  private func refused(_ reason: RecipeError.Reason, at path: JSONPath = .root) -> ImportItem {
    ImportItem(refused: RecipeError(recipe: recipe.name, path: path, reason: reason))
  }

  mutating func applyBatch() {
    let end = min(batch.count, next + max(1, options.batchSize))
    run.apply(batch, in: next..<end)
    next = end
    if next == batch.count {
      waitingBytes = 0
      batch.removeAll(keepingCapacity: true)
      next = 0
    }
  }
}

extension JSONSyntaxError {
  /// The error of a record, with its place in the stream.
  func below(_ location: StreamLocation) -> JSONSyntaxError {
    JSONSyntaxError(
      reason: reason, offset: location.offset + offset, line: location.line + line - 1,
      column: line == 1 ? location.column + column - 1 : column)
  }
}
