#if Inspector
  import ECS

  /// The slot and the generation of an entity, by which it is called: `3.1`.
  struct EntityName: Hashable {
    let slot: UInt32
    let generation: UInt32

    init(_ entity: Entity) { (slot, generation) = entity.numbers }

    init(_ text: String) throws(Failure) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let slot = UInt32(parts[0]), let generation = UInt32(parts[1]),
        generation < UInt32.max / 2
      else { throw Failure(400, "'\(text.prefix(40))' is no entity: they are called as 3.1") }
      (self.slot, self.generation) = (slot, generation)
    }
  }
#endif
