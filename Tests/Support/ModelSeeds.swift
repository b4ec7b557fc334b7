// The standard library cannot read the environment.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which programs of a model test are run.
package enum ModelSeeds {
  /// `ECS_MODEL_SEEDS`, or what the normal run can afford.
  package static let count = number("ECS_MODEL_SEEDS") ?? 60

  /// `ECS_MODEL_SEED`: run this one program only, and print each step before it is run.
  package static let only = number("ECS_MODEL_SEED")

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }
  }
}
