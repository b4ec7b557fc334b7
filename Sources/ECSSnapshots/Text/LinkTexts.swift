import JSONValues

/// The values of the links of a relation that are read from text.
struct LinkTexts {
  private let names: Set<String>
  private var rows: TextRows

  /// How they are written: each field is a column.
  let description: FileComponent

  /// The number of values.
  private(set) var count = 0

  /// The line of the first link that has none.
  private var lineOfMissing: Int?

  init(_ values: any ComponentCodec, version: Int, references: [String]) {
    names = Set([values.name] + values.formerNames)
    description = values.description.inFields
    rows = TextRows(values, version: version, references: references, inFields: true)
  }

  /// Reads the value of a link, which is an object with the name of its target, too.
  mutating func append(_ link: JSONObject, _ line: Int) throws(SnapshotError) {
    var isThere = false
    for entry in link where entry.key != "@" {
      guard names.contains(entry.key) else {
        throw SnapshotError(.unknown, name: entry.key, offset: line)
      }
      if isThere {
        throw SnapshotError(
          .malformed("A value is there by its present and its former name"), name: "line",
          offset: line)
      }
      try rows.append(entry.value, line)
      isThere = true
    }
    if isThere { count += 1 } else { noteMissing(line) }
  }

  /// Notes a link without a value.
  mutating func noteMissing(_ line: Int) { lineOfMissing = lineOfMissing ?? line }

  /// Throws if a link has no value, while others have one.
  func checkAll(_ relation: String) throws(SnapshotError) {
    guard let lineOfMissing else { return }
    throw SnapshotError(
      .badLinks("the link has no value, which others have"), name: relation, offset: lineOfMissing)
  }

  mutating func blocks(_ positions: [String: Int]) throws(SnapshotError) -> [ByteBlock] {
    try rows.blocks(positions)
  }
}
