extension Context {
  /// Makes a picture of the entities that have one of some components, with the values of these.
  ///
  /// ```swift
  /// let frozen = context.frozen(of: Price.self, Name.self)
  /// let cheapest = frozen.sorted(by: \Price.cents).first
  /// ```
  ///
  /// No values are copied now, but when they change, or are read: see ``FrozenContext``. For what
  /// has to see one state for longer than others should wait, such as a report or a search.
  ///
  /// - Parameter types: Components, at least one.
  /// - Returns: The picture.
  /// - Precondition: Not called where what there is may be taken back or is being changed, or must
  ///   not be changed: inside a transaction, an iteration or ``reading(_:)``, the closure of keys
  ///   or of a filter, or that of an update, which has the value itself unless that is trivial, as
  ///   numbers are. An observer of a journal may call it.
  /// - Complexity: O(*t*), where *t* is the number of combinations of component types, and a word
  ///   for each 512 entities. Releasing the picture takes O(*t* · *p*) for *p* pictures that have
  ///   pages to copy.
  public func frozen(of types: any Component.Type...) -> FrozenContext {
    require(!types.isEmpty, "A picture was to be made of no components: name one at least.")
    return core.section {
      Freezing(core: core).checkIsPossible()
      var cids: [CID] = []
      for type in types where !cids.contains(type.cid) { cids.append(type.cid) }
      return FrozenContext(core, cids)
    }
  }

  /// Whether changes ask for pictures that have pages to copy; for tests.
  package var hasPicturesToCopy: Bool { core.section { core.isFreezing } }
}
