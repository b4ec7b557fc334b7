package import Foundation

/// A file that comes into being, or replaces an earlier one, only when it is complete.
///
/// An earlier file hands down its mode. Whatever ends the program before, short of `SIGKILL`, nothing
/// is left of a file that is not complete.
package final class OutputFile {
  private let path: String

  /// The file that is replaced, behind all links.
  private let destination: String

  /// Where it is written; the destination itself if that can't be replaced.
  private let temporaryPath: String
  private let handle: FileHandle
  private let cleanup: Cleanup?
  private var buffer = Data()
  private var isComplete = false

  /// Opens a file for writing; "-" stands for standard output.
  package init(_ path: String) throws(Failure) {
    self.path = path
    guard path != "-" else {
      (destination, temporaryPath, handle, cleanup) = (path, path, .standardOutput, nil)
      return
    }
    let destination = OutputFile.destination(of: path)
    var earlier = stat()
    let exists = unsafe stat(destination, &earlier) == 0
    // A pipe or device is written to as it is: there is nothing to be replaced.
    let isReplaced = !exists || earlier.st_mode & S_IFMT == S_IFREG
    let temporaryPath = isReplaced ? "\(destination).\(getpid())" : destination
    cleanup = isReplaced ? Cleanup { unsafe unlink(temporaryPath) } : nil
    self.destination = destination
    self.temporaryPath = temporaryPath
    let flags = isReplaced ? O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW : O_WRONLY
    // What may not be written to may not be replaced either.
    guard unsafe !exists || access(destination, W_OK) == 0,
      case let descriptor = unsafe open(temporaryPath, flags | O_CLOEXEC, 0o666), descriptor >= 0
    else { throw OutputFile.refused(path) }
    if exists, isReplaced {
      // Only the owner of everything can give files away: the mode is what counts.
      _ = fchown(descriptor, earlier.st_uid, earlier.st_gid)
      _ = fchmod(descriptor, earlier.st_mode & 0o7777)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Leaves what was there before, unless the file is complete.
  deinit {
    if !isComplete, temporaryPath != destination { unsafe unlink(temporaryPath) }
  }

  private static func refused(_ path: String) -> Failure {
    let reason = unsafe String(cString: strerror(errno))
    return Failure(message: "Can't write to '\(path)': \(reason).", reason: reason)
  }

  /// Whether two paths lead to one file that is to be replaced.
  package static func areSame(_ path: String, _ other: String) -> Bool {
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
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  package func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 16 { try flush() }
  }

  package func write(_ data: Data) throws(Failure) {
    buffer.append(data)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Completes the file.
  package func close() throws(Failure) {
    try flush()
    guard path != "-" else { return }
    do {
      try handle.close()
      guard temporaryPath != destination else { return }
      guard unsafe rename(temporaryPath, destination) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
      isComplete = true
      cleanup?.cancel()
    } catch {
      throw failure(error)
    }
  }

  /// Writes a text to standard output.
  package static func show(_ text: String) throws(Failure) {
    let output = try OutputFile("-")
    try output.write(text)
    try output.close()
  }

  private func flush() throws(Failure) {
    do {
      try handle.write(contentsOf: buffer)
      buffer.removeAll(keepingCapacity: true)
    } catch {
      if path == "-", OutputFile.isClosedPipe(error) { OutputFile.endQuietly() }
      throw failure(error)
    }
  }

  private static func isClosedPipe(_ error: any Error) -> Bool {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain && cause.code == Int(EPIPE)
  }

  /// Ends the program as the system's own tools end when what reads their output is gone, such as `head`.
  private static func endQuietly() -> Never {
    Cleanup.runAll()
    Signals.end(by: SIGPIPE)
  }

  private func failure(_ error: any Error) -> Failure {
    let place = path == "-" ? "standard output" : "'\(path)'"
    let reason = reason(of: error)
    return Failure(message: "Writing to \(place) failed: \(reason).", reason: reason)
  }
}
