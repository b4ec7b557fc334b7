// One overload for each choice of mutated and read components: Swift has no other way to say which
// parameters of a closure are `inout`.
extension Group {
  /// Visits the entities of the group that have one component, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component>(
    _ body: (Entity, A) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      try view.forEachRow(&visited) { row in
        try body(view.entity(row), a[row])
      }
    }
  }

  /// Visits the entities of the group that have two components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component>(
    _ body: (Entity, A, B) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { row in
        try body(view.entity(row), a[row], b[row])
      }
    }
  }

  /// Visits the entities of the group that have three components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component>(
    _ body: (Entity, A, B, C) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { row in
        try body(view.entity(row), a[row], b[row], c[row])
      }
    }
  }

  /// Visits the entities of the group that have four components, to read.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component>(
    _ body: (Entity, A, B, C, D) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [], read: [A.cid, B.cid, C.cid, D.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { row in
        try body(view.entity(row), a[row], b[row], c[row], d[row])
      }
    }
  }

  /// Visits the entities of the group that have one component, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component>(
    _ body: (Entity, inout A) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        try body(view.entity(row), &newA)
        a[row] = newA
      }
    }
  }

  /// Visits the entities of the group that have two components, to change one and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component>(
    _ body: (Entity, inout A, B) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        try body(view.entity(row), &newA, b[row])
        a[row] = newA
      }
    }
  }

  /// Visits the entities of the group that have three components, to change one and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component>(
    _ body: (Entity, inout A, B, C) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        try body(view.entity(row), &newA, b[row], c[row])
        a[row] = newA
      }
    }
  }

  /// Visits the entities of the group that have four components, to change one and read three.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component>(
    _ body: (Entity, inout A, B, C, D) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid], read: [B.cid, C.cid, D.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        try body(view.entity(row), &newA, b[row], c[row], d[row])
        a[row] = newA
      }
    }
  }

  /// Visits the entities of the group that have two components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component>(
    _ body: (Entity, inout A, inout B) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        var newB = b[row]
        try body(view.entity(row), &newA, &newB)
        a[row] = newA
        b[row] = newB
      }
    }
  }

  /// Visits the entities of the group that have three components, to change two and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component>(
    _ body: (Entity, inout A, inout B, C) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        var newB = b[row]
        try body(view.entity(row), &newA, &newB, c[row])
        a[row] = newA
        b[row] = newB
      }
    }
  }

  /// Visits the entities of the group that have four components, to change two and read two.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component>(
    _ body: (Entity, inout A, inout B, C, D) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid], read: [C.cid, D.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        var newB = b[row]
        try body(view.entity(row), &newA, &newB, c[row], d[row])
        a[row] = newA
        b[row] = newB
      }
    }
  }

  /// Visits the entities of the group that have three components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component>(
    _ body: (Entity, inout A, inout B, inout C) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        var newB = b[row]
        var newC = c[row]
        try body(view.entity(row), &newA, &newB, &newC)
        a[row] = newA
        b[row] = newB
        c[row] = newC
      }
    }
  }

  /// Visits the entities of the group that have four components, to change three and read one.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component>(
    _ body: (Entity, inout A, inout B, inout C, D) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid], read: [D.cid], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        var newB = b[row]
        var newC = c[row]
        try body(view.entity(row), &newA, &newB, &newC, d[row])
        a[row] = newA
        b[row] = newB
        c[row] = newC
      }
    }
  }

  /// Visits the entities of the group that have four components, to change.
  ///
  /// See <doc:Iteration>.
  @inlinable
  public func withEach<A: Component, B: Component, C: Component, D: Component>(
    _ body: (Entity, inout A, inout B, inout C, inout D) throws -> Void
  ) rethrows {
    let request = IterationRequest(
      mutated: [A.cid, B.cid, C.cid, D.cid], read: [], isDirect: false)
    try core.iterate(tables, request) { view, visited in
      let a = view.column(A.self)
      let b = view.column(B.self)
      let c = view.column(C.self)
      let d = view.column(D.self)
      try view.forEachRow(&visited) { row in
        var newA = a[row]
        var newB = b[row]
        var newC = c[row]
        var newD = d[row]
        try body(view.entity(row), &newA, &newB, &newC, &newD)
        a[row] = newA
        b[row] = newB
        c[row] = newC
        d[row] = newD
      }
    }
  }
}
