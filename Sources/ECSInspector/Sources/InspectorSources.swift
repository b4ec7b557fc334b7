#if Inspector
  public import ECS
  public import ECSSnapshots

  /// The parts of a program that an ``Inspector`` shows.
  public struct InspectorSources {
    private(set) var contexts: [ShownContext] = []

    init() {}

    /// Shows a context, which is not kept alive.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - schema: The components that can be edited, as snapshots have them in text; none unless
    ///     given.
    ///   - name: What the page calls it; its own name unless given.
    public mutating func add(
      _ context: Context, _ schema: Schema? = nil, as name: String? = nil
    ) {
      contexts.append(
        ShownContext(
          number: contexts.count, name: name ?? context.name, schema: schema, context: context))
    }
  }

  /// A context that is shown.
  struct ShownContext: Sendable {
    let number: Int
    let name: String
    let schema: Schema?
    weak let context: Context?

    /// The context, unless it has ended.
    func living() throws(Failure) -> Context {
      guard let context else { throw Failure(410, "the context \(name) has ended") }
      return context
    }
  }
#endif
