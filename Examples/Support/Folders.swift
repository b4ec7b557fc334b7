package import Foundation

/// Makes a folder, and those that it is in, unless they are there.
package func makeFolder(_ path: String) throws(Failure) {
  var status = stat()
  if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
  let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
  if parent != path { try makeFolder(parent) }
  // Another process may have made it meanwhile.
  guard unsafe mkdir(path, 0o777) != 0,
    unsafe errno != EEXIST || stat(path, &status) != 0
      || status.st_mode & S_IFMT != S_IFDIR
  else { return }
  let reason = unsafe String(cString: strerror(errno == EEXIST ? ENOTDIR : errno))
  throw Failure(message: "Can't make the folder '\(path)': \(reason).", reason: reason)
}

/// The content of a file.
package func readFile(_ path: String) throws -> Data {
  let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  defer { try? file.close() }
  return try file.readToEnd() ?? Data()
}
