import CAllocationCounter

extension Gate {
  /// What recipes take for each record of four fields at keys, for one whose fields are one level
  /// deeper, and for one of four fields with five related records.
  ///
  /// Contexts that are made anew grow with it, which is counted as well.
  static var recipes: [Gate] {
    [
      allocations(.make, atMost: 7.2), instructions(.make, atMost: 10_300),
      instructions(.make, .paths, atMost: 14_000),
      allocations(.update, atMost: 4), instructions(.update, atMost: 10_500),
      allocations(.decompose, atMost: 2), instructions(.decompose, atMost: 4400),
      allocations(.importFile, atMost: 4.3), instructions(.importFile, atMost: 10_500),
      allocations(.importRelated, atMost: 21), instructions(.importRelated, atMost: 66_000),
    ]
  }

  private static func name(_ operation: RecipeGateWorld.Operation) -> String {
    switch operation {
    case .make: "make an entity of a record"
    case .update: "update an entity from a record"
    case .decompose: "decompose an entity"
    case .importFile: "import a record from a file"
    case .importRelated: "import a record with relations from a file"
    }
  }

  private static func allocations(
    _ operation: RecipeGateWorld.Operation, atMost limit: Double
  ) -> Gate {
    Gate(
      name: "\(name(operation)), a thousand times", unit: "allocations",
      allowed: 0...Int(limit * Double(RecipeGateWorld.count)),
      count: { countAllocations(of: operation, .keys) },
      countBroken: { countAllocations(of: operation, .planned) })
  }

  private static func countAllocations(
    of operation: RecipeGateWorld.Operation, _ form: RecipeGateWorld.Form
  ) -> Count {
    guard allocations_are_counted() != 0 else {
      return .impossible("allocations are counted on Linux with glibc and without sanitizers only")
    }
    do {
      let world = try RecipeGateWorld(operation, form)
      for _ in 0..<2 { try world.run() }
      let before = allocation_count()
      try world.run()
      return .of(Int(allocation_count() - before))
    } catch {
      return .impossible("\(error)")
    }
  }

  private static func instructions(
    _ operation: RecipeGateWorld.Operation, _ form: RecipeGateWorld.Form = .keys,
    atMost limit: Int
  ) -> Gate {
    func count(_ form: RecipeGateWorld.Form) -> Count {
      counting { valgrind in
        valgrind.instructionsOfRound(["--count-recipes", operation.rawValue, form.rawValue])
          .map { $0 / RecipeGateWorld.count }
      }
    }
    return Gate(
      name: name(operation) + (form == .paths ? " by paths" : ""), unit: "instructions",
      allowed: 0...limit, count: { count(form) }, countBroken: { count(.planned) })
  }

  /// What runs below valgrind.
  static func run(
    _ operation: RecipeGateWorld.Operation, _ form: RecipeGateWorld.Form, rounds: Int
  ) throws {
    let world = try RecipeGateWorld(operation, form)
    for _ in 0..<rounds { try world.run() }
  }
}
