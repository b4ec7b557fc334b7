#if Inspector
  import ECS
  import Foundation

  /// The components of a context by their names.
  struct ComponentNames {
    private let known: [String: CID]

    init(_ cids: some Sequence<CID>) {
      // Of two types with one name, in different modules, the one that was used first.
      known = Dictionary(cids.sorted().map { ($0.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> CID? { known[name] }

    /// Finds components in a list of names with commas in between, outside of angle brackets.
    func list(_ text: String) throws(Failure) -> [CID] {
      var found: [CID] = []
      var (start, depth) = (text.startIndex, 0)
      func add(_ end: String.Index) throws(Failure) {
        let name = text[start..<end].trimmingPrefix(while: \.isWhitespace)
        let trimmed = String(name.reversed().drop(while: \.isWhitespace).reversed())
        if trimmed.isEmpty { return }
        guard let cid = known[trimmed] else {
          throw Failure(
            400, "no entity has had a component \(trimmed)",
            at: text[..<name.startIndex].utf16.count)
        }
        if !found.contains(cid) { found.append(cid) }
      }
      for index in text.indices {
        switch text[index] {
        case "<", "(": depth += 1
        case ">", ")": depth -= 1
        case "," where depth == 0:
          try add(index)
          start = text.index(after: index)
        default: break
        }
      }
      try add(text.endIndex)
      return found
    }
  }

  /// A field of a component, or the component itself.
  struct FieldPath: Hashable {
    let component: CID
    let fields: [String]

    /// Where the fields are in the text, as UTF-16 counts.
    let position: Int

    /// The value of the field; nil if the component does not have it.
    func scalar(of value: any Component) -> Scalar? { Scalar.at(fields, of: value) }

    /// Whether a value has the fields, or might have them if it were another case, or not nil.
    func isIn(_ value: any Component) -> Bool { Scalar.mayHave(fields, value) }
  }

  /// A comparison of a field with a value.
  struct Condition: Hashable {
    enum Comparison: String, CaseIterable {
      case notEqual = "!="
      case lessOrEqual = "<="
      case moreOrEqual = ">="
      case equal = "="
      case less = "<"
      case more = ">"
      case contains
    }

    let path: FieldPath
    let comparison: Comparison
    let literal: Scalar

    /// What stands there, as entities are called by what else are numbers.
    let literalText: String

    func holds(for value: any Component) -> Bool {
      guard let found = path.scalar(of: value) else { return false }
      if comparison == .contains {
        guard case .text(let part) = literal, case .text(let text) = found else { return false }
        return text.localizedCaseInsensitiveContains(part)
      }
      var literal = literal
      if case .entity = found, literal != Scalar.none { literal = .text(literalText) }
      guard let order = found.compared(with: literal) else { return comparison == .notEqual }
      return switch comparison {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .more: order > 0
      case .moreOrEqual: order >= 0
      case .contains: false
      }
    }
  }
#endif
