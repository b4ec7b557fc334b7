#if SQLite
  import Foundation

  /// The address of a row in its table: its key, or the number that SQLite gave it.
  enum RowKey: Hashable, Sendable, CustomStringConvertible {
    case integer(Int64)
    case value(RowValue)
    case values([RowValue])

    init(_ values: [RowValue]) {
      if values.count == 1 { self.init(values[0]) } else { self = .values(values) }
    }

    init(_ value: RowValue) {
      if case .integer(let value) = value { self = .integer(value) } else { self = .value(value) }
    }

    /// Texts are the same key if their bytes are, as SQLite has it: Swift also takes those for
    /// equal that only look the same.
    static func == (left: RowKey, right: RowKey) -> Bool {
      switch (left, right) {
      case (.integer(let left), .integer(let right)): left == right
      case (.value(let left), .value(let right)): left.isSame(right)
      case (.values(let left), .values(let right)):
        left.count == right.count && zip(left, right).allSatisfy { $0.isSame($1) }
      default: false
      }
    }

    /// The values of its columns.
    var values: [RowValue] {
      switch self {
      case .integer(let value): [.integer(value)]
      case .value(let value): [value]
      case .values(let values): values
      }
    }

    /// Binds the values, from a place on.
    func bind(to statement: RowStatement, at position: Int32) {
      switch self {
      case .integer(let value): statement.bind(value, at: position)
      case .value(let value): statement.bind(value, at: position)
      case .values(let values):
        for (index, value) in values.enumerated() {
          statement.bind(value, at: position + Int32(index))
        }
      }
    }

    /// The key as text, for messages: `7`, `978-3`, `A, 12`.
    var description: String {
      values.map { value in
        switch value {
        case .text(let text): text
        case .bytes(let bytes): bytes.map { String(format: "%02X", $0) }.joined()
        default: "\(value)"
        }
      }.joined(separator: ", ")
    }
  }

  extension RowValue {
    /// Whether it is the same value, as `==` has it, in a fraction of the time.
    func isSame(_ other: RowValue) -> Bool {
      guard case .text(let text) = self, case .text(let other) = other else { return self == other }
      return text.hasSameBytes(as: other)
    }
  }
#endif
