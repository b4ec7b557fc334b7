// The standard library has no cheap identity for the running thread, so this one file asks the
// platform's C library.
#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Bionic)
  public import Bionic
#endif

/// A number that identifies the running thread: unique among living threads, never 0, and even
/// (it is the address of the thread's control block), which leaves the lowest bit for the lock.
@usableFromInline
enum ThreadIdentity {
  @inlinable
  @inline(__always)
  static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}

/// How many processors there are.
enum ProcessorCount {
  static let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
