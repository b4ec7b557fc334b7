import ECS
import ECSRecipes
import ExampleSupport

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
      // A list may be all in one line, and among lines there may be empty ones: both are reported.
      let line = failure.line.map { ", line \($0)" } ?? ""
      let place = "record \(failure.position + 1)\(line)"
      return "  \(pad(place, 20))\(pad("\(failure.error.path)", 22))\(failure.error.reason)\n"
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
    padded(printable(text) + " ", width)
  }
}
