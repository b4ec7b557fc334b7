/// A system that belongs to the actor that its closure belongs to.
protocol IsolatedByClosure: System {
  /// The actor; nil if the closure may run anywhere.
  var isolation: (any Actor)? { get }
}

/// The isolation of a system: where it may be called.
///
/// The compiler checks this where it can. What gets past it, through a method of the main actor
/// that is passed on as a function, a warning that was not heeded or code of earlier language
/// modes, is found when the loop runs.
struct SystemIsolation {
  private let system: Any
  private let closureActor: (any Actor)?

  init(of system: any System) {
    self.system = system
    closureActor = (system as? any IsolatedByClosure)?.isolation
  }

  /// Whether the system belongs to the main actor by what its closure says.
  var isOfMainActor: Bool { closureActor === MainActor.shared }

  /// Whether, by its type, the running code may call the system.
  ///
  /// A conformance that belongs to an actor is not found by code that runs elsewhere.
  var isCurrent: Bool { isSystem(system) }

  /// Stops unless the running code is where the system's closure belongs.
  func checkClosure(_ remedy: @autoclosure () -> String) {
    closureActor?.preconditionIsolated(remedy())
  }
}

/// Asks when it is called: the compiler could take the answer for a constant.
@inline(never)
private func isSystem(_ value: Any) -> Bool { value is any System }
