package import Foundation

/// The functions of a file of machine code, by their addresses: of an ELF file of 64 bits, as Linux
/// has them.
///
/// Laid out as the System V Application Binary Interface says, chapter 4 and 5. Bytes that are not
/// what they should be give fewer functions, or none.
package struct SymbolTable {
  private struct Function {
    let address: UInt64
    let size: UInt64

    /// Where among the names its own begins.
    let name: Int
  }

  /// All tables of names, one behind the other; each name ends with a zero.
  // No data: what is kept for ever has to be found by checks for leaks, which do not see through
  // its representation.
  private let names: [UInt8]

  /// Sorted by their addresses.
  private let functions: [Function]

  /// Reads a file; nil if it can't be read or has no functions.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of functions.
  package init?(contentsOf path: String) {
    guard
      let data = try? Data(
        contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    else { return nil }
    self.init(data)
  }

  package init?(_ data: Data) {
    let header = LittleEndianReader(data, from: 0, count: 0x40)
    guard header.bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      let firstSection = header.number(of: 8, at: 0x28),
      let sectionSize = header.number(of: 2, at: 0x3A),
      let sectionCount = header.number(of: 2, at: 0x3C)
    else { return nil }
    let headers = LittleEndianReader(data, from: firstSection, count: sectionSize * sectionCount)
    var functions: [Function] = []
    var texts: [UInt8] = []
    // Of symbols for the linker only, and of those of libraries.
    for kind: UInt64 in [2, 11] where functions.isEmpty {
      for number in 0..<sectionCount {
        guard let symbols = Section(headers, at: number * sectionSize), symbols.kind == kind,
          symbols.entrySize >= 24, symbols.entrySize <= data.count, symbols.link < sectionCount,
          let texted = Section(headers, at: symbols.link * sectionSize)
        else { continue }
        let names = LittleEndianReader(data, from: texted.start, count: texted.size).bytes
        guard names.count == texted.size else { continue }
        let first = texts.count
        texts += names
        texts.append(0)
        let entries = LittleEndianReader(data, from: symbols.start, count: symbols.size)
        for offset in stride(from: 0, to: entries.bytes.count, by: Int(symbols.entrySize)) {
          // Most symbols are of something else.
          guard let info = entries.number(of: 1, at: offset + 4), info & 0xF == 2,
            let name = entries.number(of: 4, at: offset), name < texted.size,
            let address = entries.number(of: 8, at: offset + 8),
            let size = entries.number(of: 8, at: offset + 16), size > 0
          else { continue }
          functions.append(Function(address: address, size: size, name: first + Int(name)))
        }
      }
    }
    guard !functions.isEmpty else { return nil }
    names = texts
    self.functions = functions.sorted { $0.address < $1.address }
  }

  /// The name of the function that an address of the file lies in; nil if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of functions.
  package func name(of address: UInt64) -> String? {
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let function = functions[low - 1]
    guard address - function.address < function.size else { return nil }
    return String(decoding: names[function.name...].prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// The description of a section in the file.
private struct Section {
  let kind: UInt64
  let start: UInt64
  let size: UInt64

  /// The number of the section that has the names.
  let link: UInt64

  let entrySize: UInt64

  init?(_ headers: LittleEndianReader, at offset: UInt64) {
    let offset = Int(offset)
    guard let kind = headers.number(of: 4, at: offset + 4),
      let start = headers.number(of: 8, at: offset + 0x18),
      let size = headers.number(of: 8, at: offset + 0x20),
      let link = headers.number(of: 4, at: offset + 0x28),
      let entrySize = headers.number(of: 8, at: offset + 0x38)
    else { return nil }
    (self.kind, self.start, self.size) = (kind, start, size)
    (self.link, self.entrySize) = (link, entrySize)
  }
}

/// Reads numbers of a part of a file, as far as they are there.
private struct LittleEndianReader {
  // PERFORMANCE: an array, and numbers of one type: builds for debugging read hundreds of thousands
  // of them.
  let bytes: [UInt8]

  /// Reads so many bytes, or those that are there.
  init(_ data: Data, from start: UInt64, count: UInt64) {
    let size = UInt64(data.count)
    let first = min(start, size)
    let part = data.dropFirst(Int(first)).prefix(Int(min(count, size - first)))
    bytes = [UInt8](part)
  }

  /// A number of so many bytes.
  func number(of size: Int, at offset: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    var next = offset + size
    while next > offset {
      next -= 1
      number = number << 8 | UInt64(bytes[next])
    }
    return number
  }
}
