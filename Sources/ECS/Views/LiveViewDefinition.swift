/// Which entities of a group a view shows, and in what order.
@usableFromInline
struct LiveViewDefinition: Sendable {
  @usableFromInline
  struct Filter: Sendable {
    @usableFromInline let mentioned: [CID]
    @usableFromInline let accepts: @Sendable (CoreReference, Handle) -> Bool

    @usableFromInline
    init(mentioned: [CID], accepts: @escaping @Sendable (CoreReference, Handle) -> Bool) {
      self.mentioned = mentioned
      self.accepts = accepts
    }
  }

  @usableFromInline
  struct Key: Sendable {
    @usableFromInline let mentioned: CID
    @usableFromInline let makeColumn: @Sendable () -> SortColumn

    @usableFromInline
    init(mentioned: CID, makeColumn: @escaping @Sendable () -> SortColumn) {
      self.mentioned = mentioned
      self.makeColumn = makeColumn
    }
  }

  @usableFromInline let group: Group
  @usableFromInline var filters: [Filter] = []
  @usableFromInline var keys: [Key] = []

  /// The components that decide, besides those of the group's matcher.
  var mentioned: [ComponentInfoReference] {
    let all = filters.flatMap(\.mentioned) + keys.map(\.mentioned)
    return Set(all).sorted().map(\.info).filter { !group.matcher.filter.mentions($0) }
  }

  @usableFromInline
  init(group: Group) {
    self.group = group
  }
}
