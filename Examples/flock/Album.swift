import ExampleSupport
import Foundation

/// A folder of pictures, one for each frame.
struct Album {
  private let folder: URL
  private var picture: Picture
  private var count = 0

  /// Makes the folder if it is missing.
  init(folder: String, size: (width: Int, height: Int)) throws(Failure) {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    picture = Picture(width: size.width, height: size.height)
    try makeFolder(folder)
  }

  mutating func add(_ flock: Flock) throws(Failure) {
    picture.expose(flock)
    count += 1
    let file = folder.appendingPathComponent(String(format: "frame-%05d.png", count))
    let output = try OutputFile(file.path)
    try output.write(picture.png)
    try output.close()
  }
}
