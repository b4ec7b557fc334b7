import ECS
import ECSRecipes

/// What is printed about imports and what came of them.
struct CatalogReport {
  let context: Context

  func summary(_ title: String, _ report: ImportReport) -> String {
    let counts = [
      ("made", report.made), ("updated", report.updated), ("unchanged", report.unchanged),
      ("refused", report.refused),
    ]
    return "\(title): \(report.count) records\n"
      + counts.map { "  \(pad($0.0, 10))\($0.1)\n" }.joined()
  }

  func refusals(_ report: ImportReport) -> String {
    if report.failures.isEmpty { return "" }
    let lines = report.failures.map { failure in
      let place = failure.line.map { "line \($0)" } ?? "record \(failure.position)"
      return "  \(pad(place, 10))\(pad("\(failure.error.path)", 22))\(failure.error.reason)\n"
    }
    return "Refused\n" + lines.joined()
  }

  func contents() -> String {
    let counts = [
      ("articles", Article.cid), ("users", User.cid), ("tags", Tag.cid),
    ]
    return "Catalog\n"
      + counts.map { name, cid in
        "  \(pad(name, 10))\(context.group(Matcher(all: [cid])).count)\n"
      }.joined()
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
