import Foundation

/// A folder of pictures, one for each frame.
struct Album {
  private let folder: URL
  private var picture: Picture
  private var count = 0

  /// Makes the folder if it is missing.
  init(folder: String, size: (width: Int, height: Int)) throws(AlbumError) {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    picture = Picture(width: size.width, height: size.height)
    do {
      try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    } catch {
      throw AlbumError(path: folder, reason: error)
    }
  }

  mutating func add(_ flock: Flock) throws(AlbumError) {
    picture.expose(flock)
    count += 1
    let name = String(format: "frame-%05d.ppm", count)
    do {
      try picture.portablePixmap.write(to: folder.appendingPathComponent(name))
    } catch {
      throw AlbumError(path: folder.appendingPathComponent(name).path, reason: error)
    }
  }
}

struct AlbumError: Error, CustomStringConvertible {
  let path: String
  let reason: any Error

  var description: String { "can't write \(path): \(reason.localizedDescription)" }
}
