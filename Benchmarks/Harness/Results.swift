/// What a run has measured, in the order of its plan.
struct Results {
  /// The rows of the table.
  let samples: [Sample]

  /// The rows of the scaling series.
  let scaling: [Sample]

  /// The sample of the naive contender on the same row with as many entities.
  func naive(for trial: Trial) -> Sample? {
    samples.first {
      $0.trial.contender == .naive && $0.trial.row == trial.row && $0.trial.n == trial.n
    }
  }

  /// A line for each row and form of this package.
  func table(comparedWith baseline: Baseline?) -> String {
    var columns: [(heading: String, alignment: Table.Alignment)] = [
      ("row", .left), ("form", .left), ("min", .right), ("median", .right), ("spread", .right),
      ("unit", .left),
    ]
    let hasNaive = samples.contains { $0.trial.contender == .naive }
    if hasNaive { columns += [("naive", .right), ("naive/min", .right)] }
    if baseline != nil { columns += [("baseline", .right), ("change", .left)] }
    columns.append(("workload", .left))
    var table = Table(columns)
    let titles = Dictionary(uniqueKeysWithValues: Benchmark.all.map { ($0.id, $0.title) })
    var previous: String?
    for sample in samples where sample.trial.contender == .ecs {
      let isFirst = sample.trial.name != previous
      previous = sample.trial.name
      var row = [
        isFirst ? sample.trial.name : "", sample.trial.form.rawValue,
        Figure.value(sample.minimum), Figure.value(sample.median), Figure.percent(sample.spread),
        sample.unit.text,
      ]
      if hasNaive {
        let naive = naive(for: sample.trial)
        row.append(naive.map { Figure.value($0.minimum) } ?? "")
        row.append(naive.map { Figure.ratio($0.minimum / sample.minimum) } ?? "")
      }
      if let baseline { row += baseline.columns(for: sample) }
      row.append(isFirst ? titles[sample.trial.row] ?? "" : "")
      table.append(row)
    }
    return table.text
  }

  /// A line for each row and form, a column for each number of entities.
  func scalingTable() -> String {
    let sizes = Array(Set(scaling.map(\.trial.n))).sorted()
    var table = Table(
      [("row", .left), ("form", .left)] + sizes.map { (Trial.short($0), .right) }
        + [("unit", .left), ("growth", .right)])
    for series in series {
      let bySize = Dictionary(uniqueKeysWithValues: series.points.map { ($0.n, $0.minimum) })
      let values = sizes.compactMap { bySize[$0] }
      let growth = (values.last ?? 0) / (values.first ?? 1)
      table.append(
        [series.row, series.form.rawValue]
          + sizes.map { bySize[$0].map(Figure.value) ?? "" }
          + [series.unit.text, Figure.ratio(growth)])
    }
    return table.text
  }

  /// How the cost of a row grows with the number of entities.
  struct Series {
    let row: String
    let form: Form
    let unit: Benchmark.Unit
    let points: [(n: Int, minimum: Double)]
  }

  /// The series of rows that were run with several numbers of entities.
  var series: [Series] {
    var order: [String] = []
    var members: [String: [Sample]] = [:]
    for sample in scaling {
      let key = "\(sample.trial.row) \(sample.trial.form.rawValue)"
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(sample)
    }
    return order.compactMap { key in
      guard let samples = members[key] else { return nil }
      return Series(
        row: samples[0].trial.row, form: samples[0].trial.form, unit: samples[0].unit,
        points: samples.map { ($0.trial.n, $0.minimum) }.sorted { $0.0 < $1.0 })
    }
  }
}
