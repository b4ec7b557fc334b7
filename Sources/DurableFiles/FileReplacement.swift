import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that takes the place of another when it is complete and on the disk.
///
/// A reader of the path sees the old file or the new one, whole, whatever happens meanwhile. If
/// the process ends before, a file stays beside it whose name begins with that of the file and ends
/// in `.partial`.
package struct FileReplacement: ~Copyable {
  private let path: String
  private let partialPath: String
  private let folder: OpenFolder
  private let file: Int32
  private var isDone = false

  /// Makes the file beside, empty.
  package init(at path: String) throws(FileFailure) {
    let folder = try OpenFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    let partialPath = "\(path).\(getpid())-\(UInt64.random(in: 0 ... .max)).partial"
    // SAFETY: here and below, the C library reads the text, and bytes that are there.
    let file = unsafe open(partialPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if file < 0 { throw FileFailure("can't be made", partialPath) }
    (self.path, self.partialPath, self.file) = (path, partialPath, file)
    self.folder = folder
  }

  /// Appends bytes.
  package func write(_ bytes: RawSpan) throws(FileFailure) {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(FileFailure) in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let part = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
        #if canImport(Glibc)
          let written = unsafe Glibc.write(file, part.baseAddress, part.count)
        #elseif canImport(Musl)
          let written = unsafe Musl.write(file, part.baseAddress, part.count)
        #elseif canImport(Bionic)
          let written = unsafe Bionic.write(file, part.baseAddress, part.count)
        #else
          let written = unsafe Darwin.write(file, part.baseAddress, part.count)
        #endif
        if written < 0 {
          if errno == EINTR { continue }
          throw FileFailure("can't be written", partialPath)
        }
        unsafe rest = unsafe rest.dropFirst(written)
      }
    }
  }

  /// Appends a text as UTF-8.
  package func write(_ text: String) throws(FileFailure) {
    let bytes = Array(text.utf8)
    // SAFETY: The array outlives the call, and its elements have no padding.
    try write(unsafe bytes.span.bytes)
  }

  /// Puts the file into its place.
  ///
  /// If this throws, the old file is there, unless the disk itself fails at the last step: then it
  /// is one of the two.
  package mutating func finish() throws(FileFailure) {
    if !bringToDisk(file) { throw FileFailure("can't be brought to the disk", partialPath) }
    if unsafe rename(partialPath, path) != 0 { throw FileFailure("can't be replaced", path) }
    isDone = true
    // That the name leads to the new file has to be on the disk as well.
    try folder.sync()
  }

  deinit {
    close(file)
    if !isDone { unsafe _ = unlink(partialPath) }
  }
}
