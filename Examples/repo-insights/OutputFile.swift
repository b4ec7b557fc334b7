import Foundation

/// A file that comes into being, or replaces an earlier one, only when it is complete.
final class OutputFile {
  private let path: String
  private let temporaryPath: String
  private let handle: FileHandle
  private var buffer = Data()

  /// Opens a file for writing; "-" stands for standard output.
  init(_ path: String) throws(Failure) {
    self.path = path
    guard path != "-" else {
      (temporaryPath, handle) = (path, .standardOutput)
      return
    }
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type]
    // A pipe or device is written to as it is: there is nothing to be replaced.
    let isReplaced = kind == nil || kind as? FileAttributeType == .typeRegular
    temporaryPath = isReplaced ? "\(path).\(ProcessInfo.processInfo.processIdentifier)" : path
    if isReplaced {
      _ = FileManager.default.createFile(atPath: temporaryPath, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: temporaryPath) else {
      throw Failure(message: "Can't write to '\(path)': \(String(cString: strerror(errno))).")
    }
    self.handle = handle
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
      guard temporaryPath != path else { return }
      guard rename(temporaryPath, path) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
    } catch {
      throw failure(error)
    }
  }

  /// Leaves what was there before.
  func discard() {
    if temporaryPath != path { try? FileManager.default.removeItem(atPath: temporaryPath) }
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
