// The standard library cannot read the environment.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tests that take minutes, because they do for real what others get to by a short cut.
package enum LongTests {
  /// Whether `ECS_LONG_TESTS` is set.
  package static var areWanted: Bool { getenv("ECS_LONG_TESTS") != nil }
}
