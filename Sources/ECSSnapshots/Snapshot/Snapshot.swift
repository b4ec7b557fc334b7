import DurableFiles
public import ECS
public import Foundation

/// The contents of a context at a moment, to be written to a file and restored.
///
/// ```swift
/// let snapshot = try context.snapshot(schema)
/// try snapshot.write(to: URL(fileURLWithPath: "shop.ecs"))
/// let report = try Snapshot(contentsOf: URL(fileURLWithPath: "shop.ecs"))
///   .restore(into: Context(), schema)
/// ```
///
/// See <doc:Saving>.
public struct Snapshot: Sendable {
  let directory: Directory
  let contents: SnapshotData

  /// Component types that entities had and the schema does not mention, by their names.
  ///
  /// They were forgotten, perhaps. Nothing for a snapshot that was read.
  public internal(set) var unlisted: [CID] = []

  /// The name of the schema that it was made with.
  public var name: String { directory.name }

  /// The number of entities.
  public var entityCount: Int { directory.entityCount }

  /// The names of the components that entities have.
  public var componentNames: [String] {
    let values = Set(directory.relations.compactMap(\.values?.component))
    let indices = directory.components.indices.filter { !values.contains($0) }
    return indices.map { directory.components[$0].name }
  }

  /// The number of bytes of ``data``.
  public var byteCount: Int {
    switch contents {
    case .data(let data): data.count
    case .blocks(let blocks): blocks.last.map { $0.start + $0.block.count } ?? 0
    }
  }

  /// Reads a snapshot.
  ///
  /// All checksums are computed; what the values are is seen when they are restored.
  ///
  /// - Throws: ``SnapshotError``. No data crashes the program, or makes it take more memory than
  ///   some times its size.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init(_ data: Data) throws(SnapshotError) {
    let data = data.startIndex == 0 ? data : Data(data)
    directory = try data.withBytes(0..<data.count) { (bytes) throws(SnapshotError) in
      try Header.readDirectory(bytes)
    }
    contents = .data(data)
  }

  /// Reads a snapshot from a file.
  ///
  /// The file is read, not mapped: a mapped file that another program makes shorter stops the
  /// program that looks at it.
  ///
  /// - Throws: ``SnapshotError``.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init(contentsOf url: URL) throws(SnapshotError) {
    let block = try ByteBlock(contentsOf: url.path)
    directory = try Header.readDirectory(block.bytes)
    contents = .blocks([(0, block)])
  }

  /// The snapshot as it is in a file.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; O(1) if it was made of data.
  public var data: Data {
    guard case .blocks(let blocks) = contents else {
      if case .data(let data) = contents { return data }
      return Data()
    }
    var data = Data(capacity: byteCount)
    for (start, block) in blocks {
      if data.count < start { data.append(contentsOf: repeatElement(0, count: start - data.count)) }
      data.append(block.bytes)
    }
    return data
  }

  /// Writes the snapshot to a file, which has all of it or is as before, whatever happens.
  ///
  /// It is written to a file beside, brought to the disk, and then put in place. A reader of the
  /// file meanwhile gets the old one, and so does one that reads it after a crash, whenever that
  /// comes. A process that ends meanwhile leaves a file behind whose name ends in `.partial`.
  ///
  /// - Throws: ``SnapshotError``.
  public func write(to url: URL) throws(SnapshotError) {
    do throws(FileFailure) {
      var file = try FileReplacement(at: url.path)
      switch contents {
      case .data(let data):
        try data.withBytes(0..<data.count) { (bytes) throws(FileFailure) in try file.write(bytes) }
      case .blocks(let blocks):
        let padding = ByteBlock()
        for _ in 0..<Directory.alignment { padding.append(UInt8(0)) }
        var end = 0
        for (start, block) in blocks {
          try file.write(padding.bytes.extracting(0..<start - end))
          try file.write(block.bytes)
          end = start + block.count
        }
      }
      try file.finish()
    } catch {
      throw SnapshotError(.file(error.description))
    }
  }
}
