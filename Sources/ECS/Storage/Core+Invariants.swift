#if InternalChecks
  // What the trait `InternalChecks` adds: after every outermost change the whole storage is walked,
  // and a contradiction stops the process where it arises.
  extension Core {
    /// Stops if storage contradicts itself.
    ///
    /// Large contexts are walked now and then only, so that programs still come to an end.
    @usableFromInline
    func checkInvariants() {
      guard pointer.pointee.lock.depth == 1, pointer.pointee.mode.isEmpty else { return }
      pointer.pointee.changesSinceCheck += 1
      let size = unsafe pointer.pointee.recordCount + pointer.pointee.tables.count * 8
      guard pointer.pointee.changesSinceCheck * 16 >= size else { return }
      pointer.pointee.changesSinceCheck = 0
      for unsafe(table) in unsafe pointer.pointee.tables { unsafe check(table) }
      checkSlots()
      checkSets()
      checkUnique()
    }

    private func check(_ table: TablePointer) {
      let signature = unsafe table.pointee.signature
      let names = signature.map(\.name)
      require(
        zip(signature, signature.dropFirst()).allSatisfy { $0.id < $1.id },
        "The types of the table \(names) are not ascending.")
      unsafe require(
        pointer.pointee.tablesBySignature[signature] == table,
        "The table \(names) is not the one of its signature.")
      unsafe require(
        table.pointee.count >= 0 && table.pointee.count <= table.pointee.capacity,
        unsafe "The table \(names) has \(table.pointee.count) rows in \(table.pointee.capacity) places."
      )
      for (number, cid) in signature.enumerated() {
        // SAFETY: a table has a column for each type of its signature.
        let column = unsafe table.pointee.columns + number
        unsafe require(
          column.pointee.cid == cid
            && table.pointee.edge(cid.key)?.pointee.column == column.pointee.base,
          "The edge of \(cid.name) in the table \(names) leads to another column.")
      }
      for row in unsafe 0..<table.pointee.count {
        // SAFETY: rows below the count have entities.
        let index = unsafe Int(table.pointee.entities[row])
        require(
          index < pointer.pointee.recordCount, "A row of \(names) has the unknown entity \(index).")
        // SAFETY: index < recordCount.
        let record = unsafe pointer.pointee.records[index]
        unsafe require(
          record.table == table && Int(record.row) == row && record.generation % 2 == 1,
          "Entity \(index) of row \(row) of \(names) is said to be elsewhere, or dead.")
      }
    }

    private func checkSlots() {
      // SAFETY: records below `recordCount` are initialized.
      let living = (0..<pointer.pointee.recordCount)
        .count { unsafe pointer.pointee.records[$0].generation % 2 == 1 }
      let rows = unsafe pointer.pointee.tables.reduce(0) { unsafe $0 + $1.pointee.count }
      require(
        living == pointer.pointee.liveCount && rows == living,
        "\(living) slots are alive, \(rows) rows there, \(pointer.pointee.liveCount) counted.")
      var free = pointer.pointee.freeSlot
      var steps = 0
      while free != Record.none {
        // SAFETY: free slots are below `recordCount`; the list ends before it has more places.
        let record = unsafe pointer.pointee.records[Int(free)]
        steps += 1
        require(
          record.generation % 2 == 0 && steps <= pointer.pointee.recordCount - living,
          "Slot \(free) is alive or met twice in the list of free slots.")
        free = record.row
      }
    }

    private func checkSets() {
      for set in pointer.pointee.sets {
        let expected = unsafe pointer.pointee.tables.filter {
          unsafe set.matcher.accepts($0.pointee.signature)
        }
        unsafe require(
          Set(expected) == Set(set.tables) && expected.allSatisfy(set.contains),
          "A set of tables differs from what its matcher accepts.")
      }
    }

    private func checkUnique() {
      for unsafe(table) in unsafe pointer.pointee.tables where unsafe table.pointee.hasUnique {
        guard unsafe table.pointee.count > 0 else { continue }
        unsafe require(table.pointee.count == 1, "Several entities hold one unique component.")
        for (number, cid) in unsafe table.pointee.signature.enumerated() where cid.isUnique {
          let slot = unsafe pointer.pointee.unique.find(cid.key)?.pointee
          unsafe require(
            slot?.place == table.pointee.columns[number].base
              && slot?.holder == handle(at: 0, of: table),
            "The holder of \(cid.name) is not the one that is known.")
        }
      }
    }
  }
#endif
