/// One thing to measure: a row with a number of entities, a contender and a form.
struct Trial: Codable, Hashable, Sendable {
  let row: String
  let n: Int
  let contender: Contender
  let form: Form

  /// The row's name, with the size where that is not the row's usual one.
  let name: String

  /// Makes a trial of a row.
  init(_ benchmark: Benchmark, n: Int, contender: Contender, form: Form) {
    row = benchmark.id
    self.n = n
    self.contender = contender
    self.form = form
    name = n == benchmark.sizes.first ? row : "\(row)/\(Trial.short(n))"
  }

  /// The name with contender and form, for messages.
  var fullName: String {
    contender == .ecs ? "\(name) \(form.rawValue)" : "\(name) \(contender.rawValue)"
  }

  /// A number of entities in few characters, such as `64k` or `1M`.
  static func short(_ n: Int) -> String {
    switch n {
    case _ where n >= 1_000_000 && n % 1_000_000 == 0: "\(n / 1_000_000)M"
    case _ where n >= 1000 && n % 1000 == 0: "\(n / 1000)k"
    default: "\(n)"
    }
  }

  /// As an argument of a worker process.
  var argument: String { "\(row):\(n):\(contender.rawValue):\(form.rawValue)" }

  /// The trial that a worker process was asked to make, and its row; nil if it is not understood.
  static func parse(_ argument: String) -> (trial: Trial, benchmark: Benchmark)? {
    let parts = argument.split(separator: ":").map(String.init)
    guard parts.count == 4, let n = Int(parts[1]), n > 0,
      let contender = Contender(rawValue: parts[2]), let form = Form(rawValue: parts[3]),
      let benchmark = Benchmark.all.first(where: { $0.id == parts[0] })
    else { return nil }
    return (Trial(benchmark, n: n, contender: contender, form: form), benchmark)
  }
}
