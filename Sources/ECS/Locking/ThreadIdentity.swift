public import CPlatform

/// A number that identifies the running thread: unique among living threads, above 1,000, and a
/// multiple of 4, which leaves the lowest bits and small numbers for the lock.
///
/// To be asked for again after every `await`, as this code is inlined into async functions, which
/// go on in other threads. The C module says how the optimizer is kept from remembering.
@usableFromInline
enum ThreadIdentity {
  @inlinable
  @inline(__always)
  static var current: UInt { UInt(c_thread_identity()) }
}
