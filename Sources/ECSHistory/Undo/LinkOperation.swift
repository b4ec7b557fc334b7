import ECS

/// A link that came, went, or was moved among those of one of its ends.
struct LinkOperation {
  enum Kind {
    /// It came, as the last one at both of its ends.
    case linked

    /// It went; these entities came next.
    case unlinked(nextTarget: Entity?, nextSource: Entity?)

    /// It was moved; these entities came next before and since then.
    case moved(isAmongTargets: Bool, earlierNext: Entity?, next: Entity?)
  }

  let link: UndoStep.Link
  let relation: any Relation.Type
  var kind: Kind

  init(_ kind: Kind, of link: UndoStep.Link, _ relation: any Relation.Type) {
    self.link = link
    self.relation = relation
    self.kind = kind
  }

  /// Whether the link is not there before the operation.
  var isLinking: Bool { if case .linked = kind { true } else { false } }

  /// Whether the link is not there after the operation.
  var isUnlinking: Bool { if case .unlinked = kind { true } else { false } }
}

extension [LinkOperation] {
  /// Adds an operation; a further move of a link is one with the move before.
  mutating func add(_ operation: LinkOperation) {
    guard case .moved(let side, _, let next) = operation.kind else { return append(operation) }
    for index in indices.reversed() {
      guard self[index].link == operation.link,
        case .moved(let earlierSide, let earlierNext, _) = self[index].kind
      else { break }
      guard earlierSide == side else { continue }
      if earlierNext == next {
        remove(at: index)
      } else {
        self[index].kind = .moved(isAmongTargets: side, earlierNext: earlierNext, next: next)
      }
      return
    }
    append(operation)
  }

  /// Adds operations that made links, in this order.
  mutating func add(linking links: [UndoStep.LinkChange]) {
    for change in links where !change.wasLinked {
      append(LinkOperation(.linked, of: change.link, change.relation))
    }
  }
}
