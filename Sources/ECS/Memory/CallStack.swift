private import CPlatform

/// The callers of the function that runs.
package enum CallStack {
  /// The location of an address in code.
  package struct Location {
    /// The file that was loaded; of the program itself, a path that is right even if it has moved.
    package let image: String

    /// What has been added to the addresses that the file tells.
    package let bias: UInt

    /// The function's name as it is for the linker; nil if the C library has none.
    package let function: String?
  }

  /// The addresses to which the functions that run return, the innermost first, at most so many;
  /// none where the C library can't tell.
  package static func addresses(limit: Int) -> [UInt] {
    // Not in a closure: functions of the standard library would be among the callers.
    var addresses = [UInt](repeating: 0, count: max(limit, 0))
    // SAFETY: there is room for so many.
    let count = unsafe Int(c_return_addresses(&addresses, addresses.count))
    addresses.removeLast(addresses.count - count)
    return addresses
  }

  /// Where an address lies; nil if no file was loaded there.
  package static func location(of address: UInt) -> Location? {
    let found = unsafe c_code_location(address)
    guard let image = unsafe found.image else { return nil }
    // SAFETY: texts that end with zero, of files that are loaded.
    return unsafe Location(
      image: String(cString: image), bias: found.bias,
      function: found.function.map { unsafe String(cString: $0) })
  }

  /// The name of a function of Swift as people write it; the name as it is if it is none.
  package static func demangled(_ name: String) -> String {
    guard let text = unsafe c_demangled(name) else { return name }
    // SAFETY: a text that ends with zero, and belongs to nothing else.
    defer { unsafe c_free_text(text) }
    return unsafe String(cString: text)
  }
}
