import DurableFiles
public import Foundation
public import JSONValues

/// A file for each key in a folder, as JSON text that people can read.
///
/// ```swift
/// let settings = try FileStorage(suite: "settings")
/// try settings.set(["volume": 0.8], for: "sound")
/// ```
///
/// A value is written beside, brought to the disk, and then put in place, so that a crash or a loss
/// of power leaves the old value or the new one, whole. That takes milliseconds: it is for what
/// people do, not for each frame. Several storages, also of several processes, may use one folder;
/// of two that write a key, the last one wins.
///
/// A process that is killed while it writes leaves a file behind whose name ends in `.partial`.
/// Those older than a day are deleted when the folder is used again. Files that have other names
/// than this class gives are left alone.
public final class FileStorage: KeyValueStorage {
  /// The folder.
  public let folder: URL

  /// Uses a folder in the place where the platform keeps the data of programs: *Application
  /// Support* on Apple's systems, `$XDG_DATA_HOME` or `~/.local/share` elsewhere.
  ///
  /// - Parameter suite: The name of the folder. As in names of files, capital letters and others
  ///   are percent-encoded.
  /// - Throws: ``StorageError/unavailable(_:)``, ``StorageError/badKey(_:)`` if the name is empty.
  public convenience init(suite: String) throws(StorageError) {
    let suite = try suite.asStorageKey()
    let base = try FileStorage.dataFolder(environment: ProcessInfo.processInfo.environment)
    let name = FileName(suite).text.dropLast(FileName.suffix.count)
    try self.init(folder: base.appendingPathComponent(String(name), isDirectory: true))
  }

  /// Uses a folder, which is made if it is not there, for its owner alone.
  ///
  /// - Throws: ``StorageError/unavailable(_:)`` if it can't be made or is none.
  public init(folder: URL) throws(StorageError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StorageError.unavailable("\(folder.path) can't be made: \(error.localizedDescription)")
    }
    deleteOldRemains()
  }

  /// The value that is kept for a key; nil if there is none.
  ///
  /// - Throws: ``StorageError/unreadable(key:reason:)`` if the file is damaged; it stays as it is.
  /// - Complexity: O(*n*), where *n* is the size of the file.
  public func value(for key: String) throws(StorageError) -> JSONValue? {
    let file = try location(of: key)
    guard let value = try content(of: file.url, for: key) else { return nil }
    guard file.isShortened else { return value }
    guard let pair = KeyedValue(value) else {
      throw StorageError.unreadable(key: key, reason: "the file does not say its key")
    }
    return pair.key == key ? pair.value : nil
  }

  /// Keeps a value for a key, instead of the one before, on the disk when this returns.
  ///
  /// - Throws: ``StorageError/notWritten(key:reason:)``, also if the value is nested too deeply to
  ///   be read again.
  /// - Complexity: O(*n*), where *n* is the size of the value, plus the milliseconds of the disk.
  public func set(_ value: JSONValue, for key: String) throws(StorageError) {
    let file = try location(of: key)
    if file.isShortened, belongsToAnother(file.url, than: key) {
      throw StorageError.notWritten(key: key, reason: "\(file.url.path) is the file of another key")
    }
    let content = file.isShortened ? KeyedValue(key: key, value: value).json : value
    let text: String
    do throws(JSONSyntaxError) {
      text = try content.textToKeep(pretty: true) + "\n"
    } catch {
      throw StorageError.notWritten(key: key, reason: "it could not be read again: \(error)")
    }
    do throws(FileFailure) {
      var replacement = try FileReplacement(at: file.url.path)
      try replacement.write(text)
      try replacement.finish()
    } catch {
      throw StorageError.notWritten(key: key, reason: error.description)
    }
  }

  /// Takes out what is kept for a key, readable or not, from the disk when this returns; false if
  /// nothing is.
  ///
  /// - Throws: ``StorageError/notWritten(key:reason:)``.
  @discardableResult
  public func removeValue(for key: String) throws(StorageError) -> Bool {
    let file = try location(of: key)
    if file.isShortened, belongsToAnother(file.url, than: key) { return false }
    do {
      _ = try FileManager.default.attributesOfItem(atPath: file.url.path)
      let folder = try OpenFolder(folder.path)
      try FileManager.default.removeItem(at: file.url)
      try folder.sync()
      return true
    } catch let error as FileFailure {
      throw StorageError.notWritten(key: key, reason: error.description)
    } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
      return false
    } catch {
      throw StorageError.notWritten(key: key, reason: error.localizedDescription)
    }
  }

  /// The keys that have values, in ascending order.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of files; those with long keys are read.
  public func keys() throws(StorageError) -> [String] {
    try fileNames().compactMap { name in
      if let key = FileName.key(of: name) { return key }
      // A long key stands in its file; a file that does not say one is not ours.
      guard name.contains("~"), name.hasSuffix(FileName.suffix),
        let content = try? content(of: folder.appendingPathComponent(name), for: name),
        let key = KeyedValue(content)?.key, FileName(key).text == name
      else { return nil }
      return key
    }.sorted()
  }

  // MARK: Files

  /// Where the platform keeps the data of programs.
  package static func dataFolder(environment: [String: String]) throws(StorageError) -> URL {
    #if canImport(Darwin)
      do {
        return try FileManager.default.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      } catch {
        throw StorageError.unavailable(error.localizedDescription)
      }
    #else
      // The specification has relative paths ignored.
      if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path, isDirectory: true)
      }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw StorageError.unavailable("neither XDG_DATA_HOME nor HOME names a folder")
      }
      return URL(fileURLWithPath: home, isDirectory: true)
        .appendingPathComponent(".local/share", isDirectory: true)
    #endif
  }

  private func location(of key: String) throws(StorageError) -> (url: URL, isShortened: Bool) {
    let name = FileName(try key.asStorageKey())
    return (folder.appendingPathComponent(name.text, isDirectory: false), name.isShortened)
  }

  /// What a file has; nil if there is no such file.
  private func content(of url: URL, for key: String) throws(StorageError) -> JSONValue? {
    let data: Data
    do {
      // Opening a pipe waits.
      let target = url.resolvingSymlinksInPath().path
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw StorageError.unreadable(key: key, reason: "\(url.path) is not a file")
      }
      // Foundation leaks a block whenever it reads an empty file.
      if attributes[.size] as? Int == 0 {
        throw StorageError.unreadable(key: key, reason: "\(url.path) is empty")
      }
      data = try Data(contentsOf: url)
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError.unreadable(key: key, reason: error.localizedDescription)
    }
    do throws(JSONSyntaxError) {
      return try JSONValue(data: data)
    } catch {
      throw StorageError.unreadable(key: key, reason: "\(error)")
    }
  }

  /// Whether a file with a shortened name has the value of a key other than this.
  private func belongsToAnother(_ url: URL, than key: String) -> Bool {
    guard let content = try? content(of: url, for: key), let owner = KeyedValue(content)?.key else {
      return false
    }
    return owner != key
  }

  private func fileNames() throws(StorageError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw StorageError.unavailable("\(folder.path) can't be read: \(error.localizedDescription)")
    }
  }

  private func deleteOldRemains() {
    let yesterday = Date(timeIntervalSinceNow: -86_400)
    for name in (try? fileNames()) ?? [] where FileStorage.isRemains(name) {
      let url = folder.appendingPathComponent(name, isDirectory: false)
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      // What can't be deleted does no harm.
      if let date = attributes?[.modificationDate] as? Date, date < yesterday {
        try? FileManager.default.removeItem(at: url)
      }
    }
  }

  private static func isRemains(_ name: String) -> Bool {
    // A name of ours, the number of a process, and another number.
    guard let parts = name.wholeMatch(of: /(.+\.json)\.([0-9]+)-([0-9]+)\.partial/) else {
      return false
    }
    return FileName.isOurs(String(parts.1)) && Int32(parts.2) != nil && UInt64(parts.3) != nil
  }
}

/// A value with its key, in a file whose name does not say it.
private struct KeyedValue {
  let key: String
  let value: JSONValue

  init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }

  init?(_ json: JSONValue) {
    guard let key = json["key"]?.string, let value = json["value"], json.object?.count == 2 else {
      return nil
    }
    self.init(key: key, value: value)
  }

  var json: JSONValue { ["key": .string(key), "value": value] }
}
