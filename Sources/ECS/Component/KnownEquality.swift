/// Whether two values are of one type that is `Equatable`, and are equal, or of one without a size.
package func isKnownEqual(_ left: any Component, _ right: any Component) -> Bool {
  func isEqual<Left: Equatable>(_ left: Left) -> Bool { (right as? Left) == left }
  func isSame<Left: Component>(_ left: Left) -> Bool {
    MemoryLayout<Left>.size == 0 && right is Left
  }
  if let left = left as? any Equatable { return isEqual(left) }
  return isSame(left)
}
