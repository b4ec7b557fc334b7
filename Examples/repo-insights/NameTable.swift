import Synchronization

/// Stands for a name of a table.
struct NameID: Hashable, Sendable {
  let number: UInt32
}

/// Names or paths, each of them once.
///
/// PERFORMANCE: most names of a history come again and again. What stands for a name is copied,
/// compared and hashed in no time, and a commit of which nothing is new needs no memory for names.
final class NameTable: Sendable {
  private let contents = Mutex(Contents())

  /// What stands for a name from now on; the numbers of new ones ascend from zero.
  func id(of name: ArraySlice<UInt8>) -> NameID {
    contents.withLock { $0.id(of: name) }
  }

  subscript(id: NameID) -> RawText {
    contents.withLock { $0.names[Int(id.number)] }
  }

  /// A hash table with room between the names.
  private struct Contents {
    var names: [RawText] = []
    private var hashes: [Int] = []

    /// The numbers of names, each where its hash says or behind; the greatest number marks the
    /// places that are free.
    private var places = [UInt32](repeating: .max, count: 64)

    mutating func id(of name: ArraySlice<UInt8>) -> NameID {
      var hasher = Hasher()
      unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      let hash = hasher.finalize()
      var place = hash & (places.count - 1)
      while places[place] != .max {
        let number = Int(places[place])
        if hashes[number] == hash, names[number].bytes[...] == name {
          return NameID(number: UInt32(number))
        }
        place = (place + 1) & (places.count - 1)
      }
      let number = UInt32(names.count)
      names.append(RawText(name))
      hashes.append(hash)
      places[place] = number
      if names.count * 2 > places.count { grow() }
      return NameID(number: number)
    }

    private mutating func grow() {
      places = [UInt32](repeating: .max, count: places.count * 2)
      for (number, hash) in hashes.enumerated() {
        var place = hash & (places.count - 1)
        while places[place] != .max { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(number)
      }
    }
  }
}
