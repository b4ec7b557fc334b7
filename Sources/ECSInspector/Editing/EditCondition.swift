#if Inspector
  import ECS
  import ECSSnapshots

  /// A condition of an edit, so that it does not undo what the program did meanwhile.
  enum EditCondition {
    /// Nothing: the value is set, whatever it was.
    case none

    /// `If-Match`: the present value has one of these versions.
    case matches([String])

    /// `If-None-Match: *`: the entity has no such component yet.
    case isMissing

    init(_ question: Question) {
      if let text = question.headers["if-match"] {
        self = .matches(
          text.split(separator: ",").map {
            String($0.drop { $0 == " " || $0 == "\"" }.prefix { $0 != " " && $0 != "\"" })
          })
      } else {
        self = question.headers["if-none-match"] == nil ? .none : .isMissing
      }
    }

    /// Whether there is none.
    var isEmpty: Bool { if case .none = self { true } else { false } }

    /// Refuses an edit of another value than the present one.
    func check(
      _ present: (any Component)?, _ editable: EditableValue?, _ cid: CID, of entity: Entity
    ) throws(Failure) {
      switch self {
      case .none: break
      case .isMissing:
        if present == nil { break }
        throw Failure(412, "\(entity.label) has got \(cid) meanwhile")
      case .matches(let versions):
        if present == nil {
          throw Failure(412, "\(entity.label) has lost \(cid) meanwhile")
        }
        if let version = editable?.version, versions.contains(version) { break }
        throw Failure(
          412, "\(cid) of \(entity.label) has changed meanwhile: look at its present value first")
      }
    }
  }
#endif
