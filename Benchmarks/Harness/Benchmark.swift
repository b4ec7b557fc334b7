/// A row: one workload, run by this package and, where that makes sense, by the naive contender.
struct Benchmark {
  /// The short name of the row, such as `A1`, or `I1.chunks` for a variant.
  let id: String

  /// What the workload does.
  let title: String

  /// What is measured.
  let unit: Unit

  /// The numbers of entities that the row is run with.
  let sizes: [Int]

  /// Whether the row belongs to the scaling series.
  let scales: Bool

  /// How many units of work there are for a number of entities.
  let operations: (_ n: Int) -> Int

  let ecs: Workload
  let naive: Workload?

  static let standardSize = 100_000
  static let largeSize = 1_000_000

  /// What one number in the table says.
  enum Unit: Codable, Hashable, Sendable {
    case nanoseconds(per: String)
    case bytes(per: String)

    /// As it stands in the table.
    var text: String {
      switch self {
      case .nanoseconds(let noun): "ns/\(noun)"
      case .bytes(let noun): "B/\(noun)"
      }
    }

    var isTime: Bool {
      if case .nanoseconds = self { true } else { false }
    }
  }

  init(
    _ id: String, _ title: String,
    _ unit: Unit = .nanoseconds(per: "entity"),
    sizes: [Int] = [standardSize],
    scales: Bool = false,
    operations: @escaping (_ n: Int) -> Int = { $0 },
    ecs: Workload,
    naive: Workload? = nil
  ) {
    self.id = id
    self.title = title
    self.unit = unit
    self.sizes = sizes
    self.scales = scales
    self.operations = operations
    self.ecs = ecs
    self.naive = naive
  }

  /// The workload of a contender; nil if it does not take part.
  func workload(of contender: Contender) -> Workload? {
    switch contender {
    case .ecs: ecs
    case .naive: naive
    }
  }
}

extension Benchmark {
  /// All rows by what they are about, in the order of the table.
  static var families: [(name: String, benchmarks: [Benchmark])] {
    [
      ("Creation and destruction", creation),
      ("Iteration", iteration),
      ("Access through handles", access),
      ("Adding and removing components", structure),
      ("Bulk", bulk),
      ("Copies and templates", copies),
      ("Many components", wide),
      ("Trees, passes, contexts and systems", whole),
      ("Reactive", reactive),
      ("Observers", observers),
      ("Journals", journals),
      ("Histories", histories),
      ("Events", events),
      ("Deadlines", deadlines),
      ("Indexes", index),
      ("Unique components", unique),
      ("Threads", threads),
      ("Recipes", recipes),
      ("Requests", requests),
      ("Snapshots", snapshots),
      ("Many tables and groups", tables),
      ("Memory", memory),
      ("App data", appData + linkValues + queries),
      ("Order", order),
      ("Views by key", keyedViews),
      ("Pictures", frozen),
    ]
  }

  /// All rows, in the order of the table.
  static var all: [Benchmark] { families.flatMap(\.benchmarks) }
}
