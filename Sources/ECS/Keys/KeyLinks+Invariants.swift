#if InternalChecks
  extension KeyLinks {
    /// How many links there are.
    var count: Int { buckets.reduce(0) { $0 + $1.count } }

    /// Stops if the links contradict themselves: what is linked from the side of the entities is
    /// what is linked from that of the keys.
    func checkInvariants() {
      firsts.checkInvariants()
      require(updated == nil, "An entity is being put under keys although no change is made.")
      var entities: Set<UInt32> = []
      for (bucket, ids) in buckets.enumerated() {
        for (offset, id) in ids.enumerated() {
          let link = links[id.index]
          require(
            link.position.bucket.index == bucket && Int(link.position.offset) == offset,
            "The link \(id.index) of slot \(link.slot) is not where its key has it.")
          entities.insert(link.slot)
        }
      }
      require(entities.count == firsts.count, "A slot of an index has keys that do not have it.")
      let walked = entities.reduce(0) { $0 + checkList(of: $1) }
      require(walked == count, "Entities have \(walked) links to keys, which have \(count).")
      let free = checkFree()
      require(walked + free == links.count, "An index lost links: \(walked), \(free) free.")
    }

    private func checkList(of slot: UInt32) -> Int {
      var (id, previous, count) = (firsts[slot], firsts.absent, 0)
      while id != firsts.absent {
        let link = links[id.index]
        count += 1
        require(
          link.slot == slot && link.previous == previous && count <= links.count,
          "The links of slot \(slot) to its keys are broken at \(id.index).")
        (previous, id) = (id, link.next)
      }
      return count
    }

    private func checkFree() -> Int {
      var (id, count) = (firstFree, 0)
      while id != firsts.absent {
        count += 1
        require(count <= links.count, "A link to a key is free twice.")
        id = links[id.index].next
      }
      return count
    }
  }
#endif
