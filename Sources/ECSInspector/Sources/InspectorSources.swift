#if Inspector
  public import ECS

  /// The parts of a program that an ``Inspector`` shows.
  public struct InspectorSources {
    private(set) var contexts: [ShownContext] = []

    init() {}

    /// Shows a context, which is not kept alive.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - name: What the page calls it; its own name unless given.
    public mutating func add(_ context: Context, as name: String? = nil) {
      contexts.append(
        ShownContext(number: contexts.count, name: name ?? context.name, context: context))
    }
  }

  /// A context that is shown.
  struct ShownContext: Sendable {
    let number: Int
    let name: String
    weak let context: Context?

    /// The context, unless it has ended.
    func living() throws(Failure) -> Context {
      guard let context else { throw Failure(410, "the context \(name) has ended") }
      return context
    }
  }
#endif
