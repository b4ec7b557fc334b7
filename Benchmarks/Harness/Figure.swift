import Foundation

/// Numbers as they stand in tables and charts.
enum Figure {
  /// A value with about three digits.
  static func value(_ value: Double) -> String {
    switch value {
    case ..<10: String(format: "%.2f", value)
    case ..<100: String(format: "%.1f", value)
    default: String(format: "%.0f", value)
    }
  }

  /// A fraction in percent.
  static func percent(_ fraction: Double) -> String {
    String(format: "%.0f %%", fraction * 100)
  }

  /// How many times as much; nothing where there is nothing to compare with.
  static func ratio(_ ratio: Double) -> String {
    guard ratio.isFinite else { return "" }
    return ratio < 10 ? String(format: "%.2f×", ratio) : String(format: "%.0f×", ratio)
  }
}
