import Foundation

/// The name of the file of a key, on any file system.
///
/// Small ASCII letters, digits, `-` and `_` stand for themselves, so does a dot that is not the
/// first character; all other bytes of UTF-8 are `%` and two digits. So names that differ only in
/// case, which are one file on many systems, don't occur, and neither do names that a system
/// normalizes. A name that would be too long ends in `~` and a hash of the key, which then stands
/// in the file.
struct FileName {
  /// What a name of a file ends in.
  static let suffix = ".json"

  /// How long the part of a name is that stands for the key.
  static let maximumLength = 160

  /// The name, with its ending.
  let text: String

  /// Whether only the file itself can say what the key is.
  let isShortened: Bool

  /// - Parameter key: As `asStorageKey()` gives it.
  init(_ key: String) {
    let whole = FileName.escaped(key)
    isShortened = whole.utf8.count > FileName.maximumLength
    if isShortened {
      let hash = String(FileName.hash(key), radix: 16)
      text =
        String(whole.prefix(FileName.maximumLength - 33)) + "~"
        + String(repeating: "0", count: 32 - hash.utf8.count) + hash + FileName.suffix
    } else {
      text = whole + FileName.suffix
    }
  }

  /// The key of a file's name; nil if the name alone does not say it, or is not one of ours.
  static func key(of name: String) -> String? {
    guard name.hasSuffix(suffix), !name.contains("~"),
      let key = try? String(name.dropLast(suffix.count)).removingPercentEncoding?.asStorageKey(),
      FileName(key).text == name
    else { return nil }
    return key
  }

  /// Whether a key may have a file of this name.
  static func isOurs(_ name: String) -> Bool {
    if key(of: name) != nil { return true }
    // Of a shortened name, the hash can't be checked.
    let part = name.dropLast(suffix.count)
    guard name.hasSuffix(suffix), part.utf8.count == maximumLength,
      let hash = part.split(separator: "~", omittingEmptySubsequences: false).last
    else { return false }
    return part.dropLast(32).last == "~" && hash.utf8.count == 32
      && hash.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private static func escaped(_ key: String) -> String {
    var bytes: [UInt8] = []
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: ".") where !bytes.isEmpty: bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(
          contentsOf: [byte >> 4, byte & 15].map { Array("0123456789ABCDEF".utf8)[Int($0)] })
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // FNV-1a with 128 bits, see draft-eastlake-fnv.
  private static func hash(_ key: String) -> UInt128 {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for byte in key.utf8 {
      hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    return hash
  }
}
