import Foundation

/// Maps values to positions so that equal ratios are equal distances.
struct LogarithmicScale {
  private let first: Double
  private let last: Double
  private let start: Double
  private let end: Double

  /// A scale of whole powers of ten around values.
  init(decadesAround values: [Double], from start: Double, to end: Double) {
    let smallest = max(values.min() ?? 1, 1e-3)
    let largest = max(values.max() ?? 10, smallest)
    first = log10(smallest).rounded(.down)
    last = max(log10(largest).rounded(.up), first + 1)
    self.start = start
    self.end = end
  }

  /// A scale from one value to another.
  init(_ smallest: Double, _ largest: Double, from start: Double, to end: Double) {
    first = log10(smallest)
    last = max(log10(largest), first + 0.1)
    self.start = start
    self.end = end
  }

  func position(_ value: Double) -> Double {
    let fraction = (log10(max(value, 1e-3)) - first) / (last - first)
    return start + (end - start) * fraction
  }

  /// The powers of ten on the scale.
  var ticks: [Double] {
    stride(from: first, through: last, by: 1).map { pow(10, $0) }
  }
}
