#if Inspector
  /// An error that keeps an ``Inspector`` from starting.
  public struct InspectorError: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
      /// The program was built with optimization, as programs are that are given to others.
      case optimizedBuild

      /// The port can't be listened on; with what the system said.
      case port(String)
    }

    /// What is wrong.
    public let reason: Reason

    init(_ reason: Reason) { self.reason = reason }
  }

  extension InspectorError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
      switch reason {
      case .optimizedBuild:
        "an inspector does not start in an optimized build, which may be one for others: pass allowInRelease if that is meant"
      case .port(let what): "the inspector can't listen: \(what)"
      }
    }
  }
#endif
