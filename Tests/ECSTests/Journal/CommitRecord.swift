import ECS
import ECSTestSupport

/// What commits said, as text; entities by their names.
// Guarded by the context: observers use it in there only.
final class CommitRecord: @unchecked Sendable {
  private(set) var commits: [[String]] = []
  private(set) var causes: [[String]] = []
  private(set) var kept: [Commit] = []
  private var names: [Entity: String] = [:]
  private let keeps: Bool

  init(keeps: Bool = false) { self.keeps = keeps }

  /// A record of all commits of a context, while the token is kept.
  static func journal(of context: Context, keeps: Bool) -> (CommitRecord, Subscription) {
    let record = CommitRecord(keeps: keeps)
    return (record, context.journal().observe { record.add($0) })
  }

  func name(_ entity: Entity, _ name: String) { names[entity] = name }

  func add(_ commit: Commit) {
    commits.append(commit.map(text))
    causes.append(commit.map { "\($0.cause.kind) \($0.cause.name)" })
    if keeps { kept.append(commit) }
  }

  func text(_ change: CommittedChange) -> String {
    let entity = names[change.entity] ?? "new"
    let target = change.target.map { " -> \(names[$0] ?? "new")" } ?? ""
    let relation = change.relation.map { " \($0)" } ?? ""
    let old = change.oldComponents().map { "\($0)" }.sorted()
    let new = change.newComponents().map { "\($0)" }.sorted()
    return "\(change.kind) \(entity)\(relation)\(target)"
      + (old.isEmpty ? "" : " old \(old.joined(separator: " "))")
      + (new.isEmpty ? "" : " new \(new.joined(separator: " "))")
  }

  func take() -> [[String]] {
    defer { commits = [] }
    return commits
  }

  func takeCauses() -> [[String]] {
    defer { causes = [] }
    return causes
  }
}

func points(_ points: Int32) -> String { "\(Health(points: points))" }

extension Context {
  /// Changes the context, in a way that is of no interest.
  func change() { _ = createEntity() }
}
