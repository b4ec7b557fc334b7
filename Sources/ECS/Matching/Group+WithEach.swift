// Written by Scripts/generate-iteration, which says why. Change it there.
extension Group {
  /// Visits the entities of the group that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, Failure: Error>(
    _ body: (Entity, A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row])
      }
    }
  }

  /// Visits the entities of the group, with one component to read where it is there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, Failure: Error>(
    _ body: (Entity, A?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [.init(A.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, Failure: Error>(
    _ body: (Entity, inout A) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA)
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A?, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [.init(A.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A, B?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [.init(B.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row])
      }
    }
  }

  /// Visits the entities of the group, with two components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A?, B?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [.init(A.self), .init(B.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have one component, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, B?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [.init(B.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [.init(A.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row], c[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B?, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [.init(B.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row], c[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self)], optional: [.init(A.self), .init(B.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row], c[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [.init(C.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c?[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [.init(A.self), .init(C.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row], c?[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B?, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [.init(B.self), .init(C.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row], c?[row])
      }
    }
  }

  /// Visits the entities of the group, with three components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [], optional: [.init(A.self), .init(B.self), .init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row], c?[row])
      }
    }
  }

  /// Visits the entities of the group that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(C.self)], optional: [.init(B.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row], c[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [.init(C.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have one component, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [.init(B.self), .init(C.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row], c?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [.init(C.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c?[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [.init(A.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row], c[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self), .init(D.self)], optional: [.init(B.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row], c[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self), .init(D.self)], optional: [.init(A.self), .init(B.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row], c[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(D.self)], optional: [.init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c?[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(D.self)], optional: [.init(A.self), .init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row], c?[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(D.self)], optional: [.init(B.self), .init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row], c?[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(D.self)], optional: [.init(A.self), .init(B.self), .init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row], c?[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have three components, to read; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self), .init(C.self)], optional: [.init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self), .init(C.self)], optional: [.init(A.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row], c[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(C.self)], optional: [.init(B.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row], c[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(C.self)], optional: [.init(A.self), .init(B.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row], c[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self), .init(B.self)], optional: [.init(C.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c?[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(B.self)], optional: [.init(A.self), .init(C.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b[row], c?[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to read; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B?, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [.init(A.self)], optional: [.init(B.self), .init(C.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b?[row], c?[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group, with four components to read where they are there.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A?, B?, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [], read: [],
      optional: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.optionalColumn(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a?[row], b?[row], c?[row], d?[row])
      }
    }
  }

  /// Visits the entities of the group that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(C.self), .init(D.self)], optional: [.init(B.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row], c[row], d[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(D.self)], optional: [.init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c?[row], d[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(D.self)], optional: [.init(B.self), .init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row], c?[row], d[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change one and read two; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self)], optional: [.init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(C.self)], optional: [.init(B.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row], c[row], d?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self)], optional: [.init(C.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c?[row], d?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have one component, to change; and three optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [], optional: [.init(B.self), .init(C.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.optionalColumn(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b?[row], c?[row], d?[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C?, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(D.self)], optional: [.init(C.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c?[row], d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change two and read one; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self)], optional: [.init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d?[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have two components, to change; and two optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C?, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [], optional: [.init(C.self), .init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.optionalColumn(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c?[row], d?[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have four components, to change three and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have three components, to change; and one optional.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, D?) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [], optional: [.init(D.self)],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.optionalColumn(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d?[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have four components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have five components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row])
      }
    }
  }

  /// Visits the entities of the group that have five components, to change one and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)], read: [.init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have five components, to change two and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)], read: [.init(C.self), .init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have five components, to change three and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)], read: [.init(D.self), .init(E.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have five components, to change four and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)], read: [.init(E.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have five components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have six components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row], f[row])
      }
    }
  }

  /// Visits the entities of the group that have six components, to change one and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)],
      read: [.init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row], f[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have six components, to change two and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)],
      read: [.init(C.self), .init(D.self), .init(E.self), .init(F.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row], f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have six components, to change three and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row], f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have six components, to change four and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row], f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have six components, to change five and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, f[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have six components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row], f[row], g[row])
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change one and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)],
      read: [
        .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self),
      ], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change two and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)],
      read: [.init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change three and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self), .init(G.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change four and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self), .init(G.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row], f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change five and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F, G) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self), .init(G.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, f[row], g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change six and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, G) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [.init(G.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, g[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have seven components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G) throws(Failure)
      -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], read: [], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        var newG = view.take(g, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, &newG)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
        view.put(newG, g, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [],
      read: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        try body(view.entity(row), a[row], b[row], c[row], d[row], e[row], f[row], g[row], h[row])
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change one and read seven.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self)],
      read: [
        .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self),
        .init(H.self),
      ], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        try body(view.entity(row), &newA, b[row], c[row], d[row], e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change two and read six.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self)],
      read: [
        .init(C.self), .init(D.self), .init(E.self), .init(F.self), .init(G.self), .init(H.self),
      ], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        try body(view.entity(row), &newA, &newB, c[row], d[row], e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change three and read five.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self)],
      read: [.init(D.self), .init(E.self), .init(F.self), .init(G.self), .init(H.self)],
      optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, d[row], e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change four and read four.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self)],
      read: [.init(E.self), .init(F.self), .init(G.self), .init(H.self)], optional: [],
      isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, e[row], f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change five and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, F, G, H) throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [.init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self)],
      read: [.init(F.self), .init(G.self), .init(H.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, f[row], g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change six and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, G, H) throws(Failure) ->
      Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
      ], read: [.init(G.self), .init(H.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, g[row], h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change seven and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G, H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self),
      ], read: [.init(H.self)], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        var newG = view.take(g, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, &newG, h[row])
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
        view.put(newG, g, row, Failure.self)
      }
    }
  }

  /// Visits the entities of the group that have eight components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<
    A: Component, B: Component, C: Component, D: Component, E: Component, F: Component,
    G: Component, H: Component, Failure: Error
  >(
    _ body: (Entity, inout A, inout B, inout C, inout D, inout E, inout F, inout G, inout H)
      throws(Failure) -> Void
  ) throws(Failure) {
    let request = IterationRequest(
      mutated: [
        .init(A.self), .init(B.self), .init(C.self), .init(D.self), .init(E.self), .init(F.self),
        .init(G.self), .init(H.self),
      ], read: [], optional: [], isDirect: false)
    try core.iterate(tables, request) { (view, visited) throws(Failure) in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      let e = view.column(E.self)
      let f = view.column(F.self)
      let g = view.column(G.self)
      let h = view.column(H.self)
      try view.forEachRow(&visited) { (row) throws(Failure) in
        var newA = view.take(a, row, Failure.self)
        var newB = view.take(b, row, Failure.self)
        var newC = view.take(c, row, Failure.self)
        var newD = view.take(d, row, Failure.self)
        var newE = view.take(e, row, Failure.self)
        var newF = view.take(f, row, Failure.self)
        var newG = view.take(g, row, Failure.self)
        var newH = view.take(h, row, Failure.self)
        try body(view.entity(row), &newA, &newB, &newC, &newD, &newE, &newF, &newG, &newH)
        view.put(newA, a, row, Failure.self)
        view.put(newB, b, row, Failure.self)
        view.put(newC, c, row, Failure.self)
        view.put(newD, d, row, Failure.self)
        view.put(newE, e, row, Failure.self)
        view.put(newF, f, row, Failure.self)
        view.put(newG, g, row, Failure.self)
        view.put(newH, h, row, Failure.self)
      }
    }
  }

  // MARK: Wrong orders

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A, inout B) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, Failure: Error>(
    _ body: (Entity, A?, inout B) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, inout B, C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, inout B, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, B?, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, inout A, B?, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, B?, inout C) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C?) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, Failure: Error>(
    _ body: (Entity, A?, inout B, C?) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, inout C, D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, inout B, C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, inout A, B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

  /// Unavailable: components to change come first.
  @available(
    *, unavailable,
    message: "Components to change (inout) come first, followed by those to read."
  )
  public func withEach<A: Component, B: Component, C: Component, D: Component, Failure: Error>(
    _ body: (Entity, A, inout B, inout C, inout D) throws(Failure) -> Void
  ) throws(Failure) {
  }

}
