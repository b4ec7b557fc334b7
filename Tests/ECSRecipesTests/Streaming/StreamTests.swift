import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs) struct StreamTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func run(
    _ text: String, _ options: StreamOptions = StreamOptions(),
    progress: (ImportProgress) -> Bool = { _ in true }
  ) throws -> ImportReport {
    var rest = Data(text.utf8)
    let users = try Catalog.users()
    return mapper.importStream(with: users, options: options, progress: progress) {
      defer { rest = Data(rest.dropFirst(options.chunkSize)) }
      return rest.prefix(options.chunkSize)
    }
  }

  private func options(_ change: (inout StreamOptions) -> Void) -> StreamOptions {
    var options = StreamOptions()
    change(&options)
    return options
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func `Lines and lists give the same result, wherever chunks end`(chunkSize: Int) throws {
    let records = [
      #"{"id":1,"name":"A,]}\"[ü"}"#, #"{"id":2}"#,
      #"{"id":3,"name":"C","contact":{"emails":["c"]}}"#,
      #"{"id":3,,}"#, "7",
    ]
    for text in [
      records.joined(separator: "\n"), records.joined(separator: "\r\n\n ") + "\n",
      "[" + records.joined(separator: ",") + "]",
      "\u{feff} [ " + records.joined(separator: " ,\n") + " ] ",
    ] {
      context.destroyAllEntities()
      let report = try run(text, options { $0.chunkSize = chunkSize })
      expectTrue((report.made, report.refused) == (2, 3))
      expectEqual(report.failures.map(\.position), [1, 3, 4])
      expectEqual(
        context.group(User.matcher).sorted().map { $0.get(User.self)?.name }, ["A,]}\"[ü", "C"])
    }
  }

  @Test func `Failures have line numbers`() throws {
    let report = try run("{\"id\":1,\"name\":\"A\"}\n\n{\"id\":x}\n{}\n")
    expectEqual(report.failures.map(\.line), [3, 4])
    guard case .syntax(let error) = report.failures.first?.error.reason else {
      Issue.record("no syntax error")
      return
    }
    expectTrue((error.line, error.column) == (3, 7))
  }

  @Test(arguments: ["[", "[{\"id\":1,\"name\":\"A\"},", "[{}", "[,]", "[1,]", "[] x", "[\"a"])
  func `A list that is broken between its elements ends with a failure`(text: String) throws {
    let report = try run(text, options { $0.format = .array })
    guard case .syntax = report.failures.last?.error.reason else {
      Issue.record("no failure: \(report)")
      return
    }
  }

  @Test func `An empty stream has no records`() throws {
    try expectEqual(run("").count, 0)
    try expectEqual(run(" \n\n").count, 0)
    try expectEqual(run("[]").count, 0)
  }

  @Test func `A record that is too long is refused, and the next one is read`() throws {
    let long = "{\"id\":1,\"name\":\"" + String(repeating: "x", count: 5000) + "\"}"
    let report = try run(
      long + "\n{\"id\":2,\"name\":\"B\"}", options { $0.maximumRecordSize = 1000 })
    expectTrue((report.made, report.refused) == (1, 1))
    expectEqual(report.failures.first?.error.reason, .recordTooLong(1000))
  }

  @Test func `A bomb of brackets is refused, and the next record is read`() throws {
    let bomb = String(repeating: "[", count: 100_000)
    let report = try run(bomb + "\n{\"id\":2,\"name\":\"B\"}", options { $0.format = .lines })
    expectTrue((report.made, report.refused) == (1, 1))
    try expectEqual(run("[" + bomb).refused, 1)
  }

  @Test func `Progress is reported after each batch and can end the import`() throws {
    let text = (0..<100).map { "{\"id\":\($0),\"name\":\"N\"}" }.joined(separator: "\n")
    var counts: [Int] = []
    let report = try run(
      text,
      options {
        $0.batchSize = 10
        $0.chunkSize = 64
      }
    ) { progress in
      counts.append(progress.report.made)
      return counts.count < 3
    }
    expectEqual(counts, [10, 20, 30])
    expectTrue(report.isCancelled)
    expectEqual(context.count, 30)
  }

  @Test func `Large records do not wait for a full batch`() throws {
    let name = String(repeating: "x", count: 1000)
    let text = (0..<50).map { "{\"id\":\($0),\"name\":\"\(name)\"}" }.joined(separator: "\n")
    var counts: [Int] = []
    let report = try run(text, options { $0.chunkSize = 256 }) { progress in
      counts.append(progress.report.count)
      return true
    }
    expectEqual(report.made, 50)
    expectGreaterThan(counts.count, 5)
  }

  @Test func `Cancelling the task ends the import`() async throws {
    let (mapper, users) = (mapper, try Catalog.users())
    let task = Task {
      var line = 0
      return mapper.importStream(with: users) {
        line += 1
        return Data("{\"id\":\(line),\"name\":\"N\"}\n".utf8)
      }
    }
    task.cancel()
    await expectTrue(task.value.isCancelled)
  }

  @Test func `The report lists failures up to its limit and counts them all`() throws {
    let report = try run(
      String(repeating: "x\n", count: 50), options { $0.maximumFailures = 5 })
    expectEqual(report.refused, 50)
    expectEqual(report.failures.count, 5)
  }

  @Test func `Files are imported, and one that is missing is an error`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    #expect(throws: (any Error).self) { try mapper.importFile(url, with: try Catalog.users()) }
    try Data("[{\"id\":1,\"name\":\"A\"}]".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    var progress: ImportProgress?
    try mapper.importFile(url, with: try Catalog.users()) {
      progress = $0
      return true
    }
    expectEqual(progress?.report.made, 1)
    expectEqual(progress?.bytes, progress?.totalBytes)
  }

  @Test(arguments: [JSONStreamFormat.automatic, .lines, .array])
  func `Half a byte order mark is reported`(format: JSONStreamFormat) throws {
    for bytes: [UInt8] in [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0x20, 0x5b, 0x5d]] {
      var rest: Data? = Data(bytes)
      let report = mapper.importStream(
        with: try Catalog.users(), options: options { $0.format = format }
      ) { rest.take() ?? Data() }
      expectEqual(report.refused, 1)
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max])
  func `Sizes may be any number`(size: Int) throws {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("swift-ecs-\(UUID().uuidString).json")
    try Data("[{\"id\":1,\"name\":\"A\"},{\"id\":2,\"name\":\"B\"}]".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let users = try Catalog.users()
    let report = try mapper.importFile(
      file, with: users,
      options: options { ($0.chunkSize, $0.batchSize, $0.maximumFailures) = (size, size, size) })
    expectTrue((report.made, report.refused) == (2, 0))
    let refused = try mapper.importFile(
      file, with: users, options: options { $0.maximumRecordSize = min(size, 10) })
    expectEqual(refused.refused, 2)
  }

  @Test func `The size of a file that doesn't have one in advance is unknown`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("{\"id\":1,\"name\":\"A\"}".utf8))
    try pipe.fileHandleForWriting.close()
    var totals: [Int?] = []
    let report = try mapper.importFile(
      URL(fileURLWithPath: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"),
      with: try Catalog.users()
    ) {
      totals.append($0.totalBytes)
      return true
    }
    expectEqual(report.made, 1)
    expectEqual(totals, [nil])
  }

  @Test func `A canceled task reads nothing more`() async {
    let task = Task { [mapper] in
      while !Task.isCancelled { await Task.yield() }
      var readings = 0
      let report = mapper.importStream(with: try Catalog.users()) {
        readings += 1
        return readings < 1000 ? Data("x".utf8) : Data()
      }
      return (readings, report)
    }
    task.cancel()
    let result = try? await task.value
    expectEqual(result?.0, 0)
    expectEqual(result?.1.isCancelled, true)
  }

  @Test func `An import that is ended after the last record was not cut off`() throws {
    let report = try run("{\"id\":1,\"name\":\"A\"}") { _ in false }
    expectEqual(report.made, 1)
    expectFalse(report.isCancelled)
  }

  @Test func `Read errors are thrown, and the records before them are kept`()
    throws
  {
    let users = try Catalog.users()
    let folder = FileManager.default.temporaryDirectory
    for file in [folder, folder.appendingPathComponent("none-\(UUID().uuidString)")] {
      #expect(throws: (any Error).self) { try mapper.importFile(file, with: users) }
    }
    struct Gone: Error {}
    var readings = 0
    #expect(throws: Gone.self) {
      try mapper.importStream(
        with: users, options: options { $0.batchSize = 1 }
      ) { () throws(Gone) in
        readings += 1
        if readings == 2 { throw Gone() }
        return Data("{\"id\":1,\"name\":\"A\"}\n{\"id\":2,\"na".utf8)
      }
    }
    expectEqual(context.group(User.matcher).count, 1)
  }
}
