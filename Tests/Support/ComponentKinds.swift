import ECS

/// A component with a reference.
package struct Name: Component, Equatable {
  package var text: String
  package init(_ text: String) { self.text = text }
}

/// A component that is a class.
package final class Sprite: Component {
  package let file: String
  package init(file: String) { self.file = file }
}

/// A component with a weak member, which cannot be moved by copying bytes.
package struct Target: Component {
  package weak let sprite: Sprite?
  package let name: String

  package init(_ sprite: Sprite?, name: String) {
    self.sprite = sprite
    self.name = name
  }
}

/// An enum with payloads.
package enum Shape: Component, Equatable {
  case point
  case circle(radius: Double)
  case polygon([Double])
}

/// Four values of a type.
package struct Quad<Element: Sendable & Equatable>: Sendable, Equatable {
  package var a: Element
  package var b: Element
  package var c: Element
  package var d: Element

  package init(_ element: Element) { (a, b, c, d) = (element, element, element, element) }
}

/// A component of a kilobyte.
package struct Page: Component, Equatable {
  package var words: Quad<Quad<Quad<Quad<UInt32>>>>

  package init(filledWith word: UInt32) { words = Quad(Quad(Quad(Quad(word)))) }
}

/// A component with a larger alignment than its words need.
package struct Matrix: Component, Equatable {
  package var flag: Bool
  package var values: SIMD16<Float>

  package init(_ value: Float) {
    flag = true
    values = SIMD16(repeating: value)
  }
}

/// A unique component.
package struct Settings: UniqueComponent, Equatable {
  package var volume: Int
  package init(volume: Int) { self.volume = volume }
}

/// A further unique component.
package struct Selection: UniqueComponent, Equatable {
  package var count: Int
  package init(count: Int) { self.count = count }
}
