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
      for (bucket, numbers) in buckets.enumerated() {
        for (position, number) in numbers.enumerated() {
          let link = links[number.index]
          require(
            link.place.bucket.index == bucket && Int(link.place.position) == position,
            "The link \(number.index) of slot \(link.slot) is not where its key has it.")
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
      var (number, previous, count) = (firsts[slot], firsts.absent, 0)
      while number != firsts.absent {
        let link = links[number.index]
        count += 1
        require(
          link.slot == slot && link.previous == previous && count <= links.count,
          "The links of slot \(slot) to its keys are broken at \(number.index).")
        (previous, number) = (number, link.next)
      }
      return count
    }

    private func checkFree() -> Int {
      var (number, count) = (firstFree, 0)
      while number != firsts.absent {
        count += 1
        require(count <= links.count, "A link to a key is free twice.")
        number = links[number.index].next
      }
      return count
    }
  }
#endif
