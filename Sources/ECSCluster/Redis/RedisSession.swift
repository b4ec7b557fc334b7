import Foundation

/// The session of one thread with a Redis.
final class RedisSession: BrokerSession {
  private let broker: RedisBroker
  private let cluster: String
  private var connection: RedisConnection?

  /// The names that Redis has given to the scripts.
  private var scripts: [String] = []
  private(set) var partitionCount = 0
  private(set) var foundation: String?

  /// What was reported to Redis of producers, which it may have lost when the connection is
  /// another.
  var uses = ProducerUses()

  /// When to look how much memory Redis has left.
  var memory = MemoryWatch()

  init(_ broker: RedisBroker, _ cluster: String) {
    (self.broker, self.cluster) = (broker, cluster)
  }

  /// The name of a key of a partition.
  func key(_ partition: Int, _ name: String) -> String { "{\(cluster):\(partition)}:\(name)" }

  /// The name of a key of the cluster.
  func key(_ name: String) -> String { "{\(cluster)}:\(name)" }

  // MARK: Talking

  /// Sends commands, and reads an answer to each, of which none is an error.
  func ask(
    _ commands: RedisCommands, waiting extra: Duration = .zero
  ) throws(BrokerError) -> [RedisValue] {
    let answers = try askEach(commands, waiting: extra)
    for case .error(let text) in answers { throw RedisSession.error(text) }
    return answers
  }

  /// Calls a script several times; none of the answers is an error.
  func call(
    _ script: RedisScript, _ calls: [(keys: [String], words: [RedisWord])]
  ) throws(BrokerError) -> [RedisValue] {
    let answers = try callEach(script, calls)
    for case .error(let text) in answers { throw RedisSession.error(text) }
    return answers
  }

  /// Calls a script several times; some of the answers may be errors.
  func callEach(
    _ script: RedisScript, _ calls: [(keys: [String], words: [RedisWord])]
  ) throws(BrokerError) -> [RedisValue] {
    let (answers, failure) = try callSome(script, calls)
    if let failure { throw failure }
    return answers
  }

  /// Calls a script several times; gives the answers that came, and why there are not more.
  func callSome(
    _ script: RedisScript, _ calls: [(keys: [String], words: [RedisWord])]
  ) throws(BrokerError) -> (answers: [RedisValue], failure: BrokerError?) {
    for isLast in [false, true] {
      let connection = try connectIfNeeded()
      var commands = RedisCommands()
      for call in calls {
        let head: [RedisWord] = [
          "EVALSHA", .text(scripts[script.rawValue]), RedisWord(call.keys.count),
        ]
        commands.add(head + call.keys.map { .text($0) } + call.words)
      }
      var answers: [RedisValue] = []
      var failure: BrokerError?
      do throws(BrokerError) {
        try connection.exchange(commands, within: broker.timeout) { answers.append($0) }
      } catch {
        // Answers may still come, which nothing reads.
        self.connection = nil
        failure = error
      }
      let isUnknown = answers.contains {
        if case .error(let text) = $0 { text.hasPrefix("NOSCRIPT") } else { false }
      }
      if !isUnknown || isLast { return (answers, failure) }
      // It was made to forget its scripts: none of the calls was carried out.
      self.connection = nil
    }
    throw .protocolViolation("It forgets scripts at once")
  }

  /// Sends commands, and reads an answer to each, of which some may be errors.
  func askEach(
    _ commands: RedisCommands, waiting extra: Duration = .zero
  ) throws(BrokerError) -> [RedisValue] {
    let connection = try connectIfNeeded()
    do throws(BrokerError) {
      return try connection.exchange(commands, within: broker.timeout + extra)
    } catch {
      // Answers may still come, which nothing reads.
      self.connection = nil
      throw error
    }
  }

  @discardableResult
  private func connectIfNeeded() throws(BrokerError) -> RedisConnection {
    if let connection { return connection }
    let made = RedisConnection(try broker.connect(broker.address, broker.timeout))
    var greeting = RedisCommands()
    let address = broker.address
    if let password = address.password {
      if let user = address.user {
        greeting.add("AUTH", .text(user), .text(password))
      } else {
        greeting.add("AUTH", .text(password))
      }
    }
    if address.database > 0 { greeting.add("SELECT", RedisWord(address.database)) }
    for script in RedisScript.allCases { greeting.add("SCRIPT", "LOAD", .text(script.source)) }
    let answers = try made.exchange(greeting, within: broker.timeout)
    for case .error(let text) in answers { throw RedisSession.error(text) }
    var names: [String] = []
    for answer in answers.suffix(RedisScript.allCases.count) {
      guard let name = answer.text, name.utf8.count == 40 else {
        throw .protocolViolation("A script is called \(answer.kind)")
      }
      names.append(name)
    }
    (scripts, connection, uses) = (names, made, ProducerUses())
    return made
  }

  static func error(_ whole: String) -> BrokerError {
    // Redis 6 wraps what a command answers to a script.
    let text =
      whole.range(of: "@user_script").flatMap { found in
        whole[found.upperBound...].range(of: " -").map { String(whole[$0.upperBound...]) }
      } ?? whole
    return switch text.prefix(while: { $0 != " " }) {
    case "WRONGPASS", "NOAUTH", "NOPERM", "DENIED": .refused(text)
    case "OOM", "MISCONF": .full(text)
    case "LOADING", "BUSY", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "READONLY", "NOREPLICAS",
      "UNKILLABLE":
      .unavailable(text)
    case "ERR" where text.contains("max number of clients"): .unavailable(text)
    // Redis 7 calls it no NOPERM when a script does what its user may not.
    case "ERR" where text.hasPrefix("ERR The user executing the script"): .refused(text)
    case "ERR" where text.contains("AUTH") || text.contains("invalid password"): .refused(text)
    default: text.contains("OOM command not allowed") ? .full(text) : .failed(text)
    }
  }

  // MARK: Taking answers apart

  static func protocolViolation(_ value: RedisValue, _ wanted: String) -> BrokerError {
    .protocolViolation("\(value.kind) instead of \(wanted)")
  }

  static func numbers(_ value: RedisValue, _ count: Int) throws(BrokerError) -> [UInt64] {
    let elements = value.elements ?? []
    let numbers = elements.prefix(count).compactMap(\.number)
    guard numbers.count == count else { throw protocolViolation(value, "\(count) numbers") }
    return numbers
  }

  // MARK: Opening

  func open(_ settings: ClusterSettings) throws(BrokerError) {
    let words: [RedisWord] = [
      RedisWord(settings.partitions), .text(settings.schema), .text(UUID().uuidString),
    ]
    let answer = try call(.open, [([key("settings")], words)])[0]
    guard let found = answer.elements, found.count >= 2, let count = found[0].number,
      let schema = found[1].text
    else { throw RedisSession.protocolViolation(answer, "settings") }
    guard count == UInt64(settings.partitions) else {
      throw .mismatch("\(count) partitions, and not \(settings.partitions)")
    }
    guard schema == settings.schema else {
      throw .mismatch("the schema \(schema), and not \(settings.schema)")
    }
    partitionCount = settings.partitions
    foundation = found.count > 2 ? found[2].text : nil
  }
}
