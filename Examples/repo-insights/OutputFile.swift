import Foundation

/// A file that comes into being, or replaces an earlier one, only when it is complete.
final class OutputFile {
  private let path: String

  /// The file that is replaced, behind all links.
  private let destination: String

  /// Where it is written; the destination itself if that can't be replaced.
  private let temporaryPath: String
  private let handle: FileHandle
  private var buffer = Data()
  private var isComplete = false

  /// Opens a file for writing; "-" stands for standard output.
  init(_ path: String) throws(Failure) {
    self.path = path
    guard path != "-" else {
      (destination, temporaryPath, handle) = (path, path, .standardOutput)
      return
    }
    destination = OutputFile.destination(of: path)
    let kind = try? FileManager.default.attributesOfItem(atPath: destination)[.type]
    // A pipe or device is written to as it is: there is nothing to be replaced.
    let isReplaced = kind == nil || kind as? FileAttributeType == .typeRegular
    temporaryPath =
      isReplaced ? "\(destination).\(ProcessInfo.processInfo.processIdentifier)" : destination
    if isReplaced {
      _ = FileManager.default.createFile(atPath: temporaryPath, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: temporaryPath) else {
      throw Failure(message: "Can't write to '\(path)': \(String(cString: strerror(errno))).")
    }
    self.handle = handle
  }

  /// Leaves what was there before, unless the file is complete.
  deinit {
    guard !isComplete, temporaryPath != destination else { return }
    try? FileManager.default.removeItem(atPath: temporaryPath)
  }

  /// Whether two paths lead to one file that is to be replaced.
  static func areSame(_ path: String, _ other: String) -> Bool {
    path != "-" && !path.hasPrefix("/dev/") && destination(of: path) == destination(of: other)
  }

  /// The file that a path leads to, which need not exist; names in `/dev` stand for themselves.
  private static func destination(of path: String) -> String {
    if path.hasPrefix("/dev/") { return path }
    if let resolved = resolved(path) { return resolved }
    let url = URL(fileURLWithPath: path)
    guard let folder = resolved(url.deletingLastPathComponent().path) else { return path }
    return folder + "/" + url.lastPathComponent
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Completes the file.
  func close() throws(Failure) {
    try flush()
    guard path != "-" else { return }
    do {
      try handle.close()
      guard temporaryPath != destination else { return }
      guard rename(temporaryPath, destination) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
      isComplete = true
    } catch {
      throw failure(error)
    }
  }

  private func flush() throws(Failure) {
    do {
      try handle.write(contentsOf: buffer)
      buffer.removeAll(keepingCapacity: true)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> Failure {
    let place = path == "-" ? "standard output" : "'\(path)'"
    return Failure(message: "Writing to \(place) failed: \(reason(error)).")
  }

  private func reason(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }
}
