import Foundation

/// Files that results go to and come from.
enum TextFile {
  static func read(_ file: String) throws(BenchmarkError) -> String {
    do {
      return try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      throw .cannotRead(file: file, reason: reason(error))
    }
  }

  static func write(_ text: String, to file: String) throws(BenchmarkError) {
    // What is no file of its own, as a link or a device, must not be replaced by one.
    let kind = try? FileManager.default.attributesOfItem(atPath: file)[.type]
    let isReplaced = kind == nil || kind as? FileAttributeType == .typeRegular
    do {
      try text.write(toFile: file, atomically: isReplaced, encoding: .utf8)
    } catch {
      throw .cannotWrite(file: file, reason: reason(error))
    }
  }

  /// Whether two paths lead to one file.
  static func areSame(_ file: String, _ other: String) -> Bool {
    let places = [file, other].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    return places[0] == places[1]
  }

  /// Throws where a file could not be written, so that this is known before a long run.
  static func checkWritable(_ file: String) throws(BenchmarkError) {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw .cannotWrite(file: file, reason: "there is no folder \(folder)") }
    if unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw .cannotWrite(file: file, reason: "it is a folder")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw .cannotWrite(file: file, reason: "\(folder) cannot be written to")
    }
  }

  private static func reason(_ error: any Error) -> String {
    if let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError,
      cause.domain == NSPOSIXErrorDomain
    {
      return unsafe String(cString: strerror(Int32(cause.code)))
    }
    let text = (error as NSError).localizedFailureReason ?? error.localizedDescription
    return text.last == "." ? String(text.dropLast()) : text
  }
}
