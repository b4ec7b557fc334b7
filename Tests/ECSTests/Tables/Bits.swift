import ECS

/// Many component types from one declaration.
struct Bit<Index>: Component {
  var value = 0
}

/// Twelve component types, whose 4,096 combinations are numbers.
enum Bits {
  static let types: [CID] = kinds.map { CID($0) }

  static let kinds: [any BitComponent.Type] = [
    Bit<Int8>.self, Bit<Int16>.self, Bit<Int32>.self, Bit<Int64>.self, Bit<UInt8>.self,
    Bit<UInt16>.self, Bit<UInt32>.self, Bit<UInt64>.self, Bit<Float>.self, Bit<Double>.self,
    Bit<String>.self, Bit<Bool>.self,
  ]

  /// Others, of which as many combinations can be made.
  static let others: [any BitComponent.Type] = [
    Bit<[Int8]>.self, Bit<[Int16]>.self, Bit<[Int32]>.self, Bit<[Int64]>.self, Bit<[UInt8]>.self,
    Bit<[UInt16]>.self, Bit<[UInt32]>.self, Bit<[UInt64]>.self, Bit<[Float]>.self,
    Bit<[Double]>.self, Bit<[String]>.self, Bit<[Bool]>.self,
  ]

  /// Gives an entity the types at the bits of a number, and takes the rest from it.
  static func set(
    _ number: Int, on entity: Entity, of kinds: [any BitComponent.Type] = kinds
  ) {
    for (bit, kind) in kinds.enumerated() {
      kind.write(number & (1 << bit) != 0 ? number : nil, on: entity)
    }
  }

  /// Gives an entity a type that it lacks, or takes it away.
  static func toggle(_ bit: Int, on entity: Entity, _ value: Int = 0) {
    kinds[bit].write(entity.has(types[bit]) ? nil : value, on: entity)
  }
}

/// A component that is set and removed without its type being known.
protocol BitComponent: Component {
  init(value: Int)

  var value: Int { get }
}

extension Bit: BitComponent {}

extension BitComponent {
  static func write(_ value: Int?, on entity: Entity) {
    if let value { entity.set(Self(value: value)) } else { entity.remove(Self.self) }
  }

  static func read(_ entity: Entity) -> Int? { entity.get(Self.self)?.value }
}
