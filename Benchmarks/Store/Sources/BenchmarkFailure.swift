/// Why a measurement is worth nothing.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless what was found is what there should be.
func verify<Value: Equatable>(_ found: Value, _ expected: Value, _ name: String) throws {
  guard found == expected else {
    throw BenchmarkFailure("\(name): found \(found) instead of \(expected)")
  }
}
