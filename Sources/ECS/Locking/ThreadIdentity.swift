public import CPlatform

// How many processors there are is for the platform's C library to tell.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// A number that identifies the running thread: unique among living threads, never 0, and even,
/// which leaves the lowest bit for the lock.
///
/// To be asked for again after every `await`, as this code is inlined into async functions, which
/// go on in other threads. The C module says how the optimizer is kept from remembering.
@usableFromInline
enum ThreadIdentity {
  @inlinable
  @inline(__always)
  static var current: UInt { UInt(c_thread_identity()) }
}

/// How many processors there are.
enum ProcessorCount {
  static let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
