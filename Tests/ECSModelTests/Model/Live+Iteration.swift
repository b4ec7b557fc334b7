import ECS

/// What an iteration does at each entity: gets its components' numbers.
private typealias Body = (Entity, [Int]) throws -> Void

extension Live {
  func visit(_ visit: Visit, _ body: (Int, Int) throws -> Void) {
    guard groups.indices.contains(visit.group) else { return }
    let order = orders.begin()
    if visit.style == .parallel { return visitInParallel(visit, order) }
    var count = 0
    try? self.visit(visit, visit.style, by: visit.by, mutated: visit.mutated) { entity, numbers in
      let number = number(of: entity)
      orders.orders[order].append(number)
      trace.append(Event(name: .visited, source: count, entity: number, numbers: numbers))
      count += 1
      do {
        try body(count - 1, number)
      } catch {
        trace.append(Event(name: .failed))
        throw error
      }
    }
  }

  private func visit(
    _ visit: Visit, _ style: Style, by: Int, mutated: [Int], _ body: Body
  ) throws {
    let group = groups[visit.group]
    let types = (visit.mutated + visit.read).map { Kind.types[$0] }
    let chunks = style == .chunks
    switch (mutated.count, types.count) {
    case (0, 1): try group.read(types[0], chunks, body)
    case (0, 2): try group.read(types[0], types[1], chunks, body)
    case (0, 3): try group.read(types[0], types[1], types[2], body)
    case (1, 1): try group.mutate(types[0], by, chunks, body)
    case (1, 2): try group.mutate(types[0], reading: types[1], by, chunks, body)
    case (2, 2): try group.mutate(types[0], types[1], by, chunks, body)
    default: try group.mutate(types[0], types[1], reading: types[2], by, body)
    }
  }

  private func visitInParallel(_ visit: Visit, _ order: Int) {
    let by = visit.by
    func mutate<A: ModelComponent>(_ a: A.Type) {
      context.perform {
        // The bodies run in no particular order; a second iteration tells the order of rows.
        groups[visit.group].withEach { (entity, a: A) in
          orders.orders[order].append(number(of: entity))
        }
        groups[visit.group].withChunksInParallel { (chunk, a: inout MutableSpan<A>) in
          for row in 0..<chunk.count { a[row] = a[row].adding(by) }
        }
      }
    }
    mutate(Kind.types[visit.mutated[0]])
  }
}

extension Group {
  fileprivate func read<A: ModelComponent>(_ a: A.Type, _ chunks: Bool, _ body: Body) throws {
    guard chunks else {
      return try withEach { (entity, a: A) in try body(entity, [a.number]) }
    }
    try withChunks { (chunk, a: Span<A>) in
      for row in 0..<chunk.count { try body(chunk.entity(at: row), [a[row].number]) }
    }
  }

  fileprivate func read<A: ModelComponent, B: ModelComponent>(
    _ a: A.Type, _ b: B.Type, _ chunks: Bool, _ body: Body
  ) throws {
    guard chunks else {
      return try withEach { (entity, a: A, b: B) in try body(entity, [a.number, b.number]) }
    }
    try withChunks { (chunk, a: Span<A>, b: Span<B>) in
      for row in 0..<chunk.count {
        try body(chunk.entity(at: row), [a[row].number, b[row].number])
      }
    }
  }

  fileprivate func read<A: ModelComponent, B: ModelComponent, C: ModelComponent>(
    _ a: A.Type, _ b: B.Type, _ c: C.Type, _ body: Body
  ) throws {
    try withEach { (entity, a: A, b: B, c: C) in
      try body(entity, [a.number, b.number, c.number])
    }
  }

  fileprivate func mutate<A: ModelComponent>(
    _ a: A.Type, _ by: Int, _ chunks: Bool, _ body: Body
  ) throws {
    guard chunks else {
      return try withEach { (entity, a: inout A) in
        try body(entity, [a.number])
        a = a.adding(by)
      }
    }
    try withChunks { (chunk, a: inout MutableSpan<A>) in
      for row in 0..<chunk.count {
        try body(chunk.entity(at: row), [a[row].number])
        a[row] = a[row].adding(by)
      }
    }
  }

  fileprivate func mutate<A: ModelComponent, B: ModelComponent>(
    _ a: A.Type, reading b: B.Type, _ by: Int, _ chunks: Bool, _ body: Body
  ) throws {
    guard chunks else {
      return try withEach { (entity, a: inout A, b: B) in
        try body(entity, [a.number, b.number])
        a = a.adding(by)
      }
    }
    try withChunks { (chunk, a: inout MutableSpan<A>, b: Span<B>) in
      for row in 0..<chunk.count {
        try body(chunk.entity(at: row), [a[row].number, b[row].number])
        a[row] = a[row].adding(by)
      }
    }
  }

  fileprivate func mutate<A: ModelComponent, B: ModelComponent>(
    _ a: A.Type, _ b: B.Type, _ by: Int, _ chunks: Bool, _ body: Body
  ) throws {
    guard chunks else {
      return try withEach { (entity, a: inout A, b: inout B) in
        try body(entity, [a.number, b.number])
        a = a.adding(by)
        b = b.adding(by)
      }
    }
    try withChunks { (chunk, a: inout MutableSpan<A>, b: inout MutableSpan<B>) in
      for row in 0..<chunk.count {
        try body(chunk.entity(at: row), [a[row].number, b[row].number])
        a[row] = a[row].adding(by)
        b[row] = b[row].adding(by)
      }
    }
  }

  fileprivate func mutate<A: ModelComponent, B: ModelComponent, C: ModelComponent>(
    _ a: A.Type, _ b: B.Type, reading c: C.Type, _ by: Int, _ body: Body
  ) throws {
    try withEach { (entity, a: inout A, b: inout B, c: C) in
      try body(entity, [a.number, b.number, c.number])
      a = a.adding(by)
      b = b.adding(by)
    }
  }
}
