import ECS
import Foundation
import Synchronization

/// The names of the functions that called a function of this package.
enum CallerNames {
  /// The tables that were read, by their files; nil of those that have none.
  private static let tables = Mutex<[String: SymbolTable?]>([:])

  /// How many of our own functions may lie between a caller and the code that takes its address.
  static var depth: Int { 24 }

  private enum Frame {
    /// Of this package, of the library, or made by the compiler to pass a call on.
    case hidden(isOurs: Bool)

    case named(String)

    /// A file and an address in it.
    case unnamed(String)
  }

  /// The names of the innermost callers, at most so many, the innermost first.
  ///
  /// Our own functions, those of the standard library, and what the compiler puts between functions
  /// are left out. If nothing has a name, it is unknown what is ours: then all are given.
  static func names(of addresses: [UInt], limit: Int) -> [String] {
    // An address is that of what comes behind the call.
    let frames = addresses.compactMap { $0 > 0 ? frame(at: $0 - 1) : nil }
    // Before our own functions is what took the addresses.
    let start = frames.firstIndex { if case .hidden(isOurs: true) = $0 { true } else { false } }
    guard let start else {
      return frames.compactMap { if case .unnamed(let address) = $0 { address } else { nil } }
    }
    let names = frames[start...].compactMap { frame -> String? in
      switch frame {
      case .hidden: nil
      case .named(let name), .unnamed(let name): name
      }
    }
    return Array(names.prefix(limit))
  }

  private static func frame(at address: UInt) -> Frame? {
    guard let location = CallStack.location(of: address), address >= location.bias else {
      return nil
    }
    let image = location.image.split(separator: "/").last.map(String.init) ?? location.image
    if image.hasPrefix("libswift") { return .hidden(isOurs: false) }
    let offset = address - location.bias
    guard let symbol = symbol(at: offset, in: location.image) ?? location.function else {
      return .unnamed("\(image)+0x\(String(offset, radix: 16))")
    }
    let isOurs = symbol.hasPrefix("$s3ECS") || symbol.hasPrefix("$s10ECSHistory")
    let isThunk = symbol.hasPrefix("$s") && (symbol.hasSuffix("TR") || symbol.hasSuffix("TA"))
    if isThunk { return .hidden(isOurs: isOurs) }
    let name = CallStack.demangled(symbol)
    guard isOurs || symbol.hasPrefix("$ss") else { return .named(name) }
    // A function in an extension begins with the module of the type, and may be of any.
    if let module = extendingModule(name), !["ECS", "ECSHistory", "Swift"].contains(module) {
      return .named(name)
    }
    return .hidden(isOurs: isOurs)
  }

  /// The module of the extension that a function is in, by its name in words; nil if it is in none.
  private static func extendingModule(_ name: String) -> String? {
    let parts = name.components(separatedBy: "(extension in ")
    for (before, part) in zip(parts, parts.dropFirst()) {
      // Otherwise it is that of an argument or a result.
      let isItself = ["static ", " of ", " in ", " for ", "merged "].contains(
        where: before.hasSuffix)
      guard before.isEmpty || isItself, let end = part.firstIndex(of: ")") else { continue }
      return String(part[..<end])
    }
    return nil
  }

  private static func symbol(at offset: UInt, in file: String) -> String? {
    tables.withLock { tables in
      if tables[file] == nil { tables[file] = .some(SymbolTable(contentsOf: file)) }
      return tables[file].flatMap { $0 }?.name(of: UInt64(offset))
    }
  }
}
