import ECSHistory
import ECSTestSupport
import Testing

@Suite(.longRunning) struct EventQueryTests {
  private func error(_ text: String) -> EventQueryError? {
    do {
      _ = try EventQuery(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `all forms are understood`() throws {
    for text in [
      "events", "  systems  ", "components where all(added)", "entities all(added)",
      "durations where all(system:Layout)any(tick:1 tick:3..5)none(event:..7 commit:9..)",
      #"events where all(info:"a \"quoted\" (text)" system:- observer:"two words")"#,
      "events none(entity:3.1 entity:3 entity:- key:ada group:enemies cause:import context:Game)",
      "events where all(component:Array<Int> system:a_b/c.d#1@2)", "events\nwhere\tall(\n added )",
    ] {
      expectNil(error(text), "\(text)")
    }
    for kind in EventKind.allCases { expectNil(error("events where any(\(kind.rawValue))")) }
    try expectEqual(EventQuery("systems where any(added)"), EventQuery("systems any( added )"))
    try expectEqual(EventQuery("systems any(added)").subject, .systems)
  }

  @Test func `each kind is the one of its name`() throws {
    // In EntitasKit, `didInit` is read as `willInit`.
    let queries = try EventKind.allCases.map { try EventQuery("events all(\($0.rawValue))") }
    expectEqual(Set(queries).count, EventKind.allCases.count)
  }

  @Test func `errors say what is wrong, and where`() {
    let cases: [(String, EventQueryError.Reason, Int)] = [
      ("", .unknownSubject(""), 0), ("  things", .unknownSubject("things"), 2),
      ("(", .unknownSubject("("), 0), ("events where", .expected("all, any or none"), 12),
      ("events all", .expected("'('"), 10), ("events all added", .unexpected("a"), 11),
      ("events all(added", .expected("')'"), 16), ("events all()", .empty("all"), 7),
      ("events all(added) all(removed)", .repeated("all"), 18),
      ("events some(added)", .unexpected("some"), 7),
      ("events all(added) where any(removed)", .unexpected("where"), 18),
      // EntitasKit takes any rest of a line.
      ("events all(added) and more", .unexpected("and"), 18),
      ("events all(added))", .unexpected(")"), 17), ("events all(adde)", .unknownTerm("adde"), 11),
      ("events all(sytem:A)", .unknownTerm("sytem"), 11),
      ("events all(system:)", .missingValue("system"), 18),
      ("events all(system: A)", .missingValue("system"), 18),
      ("events all(context:-)", .missingValue("context"), 19),
      ("events all(system:-A)", .unexpected("-A)"), 18),
      // EntitasKit runs past the end of the text.
      (#"events all(info:"abc)"#, .unterminatedText, 16),
      (#"events all(info:")"#, .unterminatedText, 16),
      (#"events all(info:"abc\"#, .unterminatedText, 16),
      ("events all(tick:x)", .invalidNumber("x"), 16),
      ("events all(tick:..)", .invalidNumber(".."), 16),
      ("events all(tick:1...3)", .invalidNumber(".3"), 16),
      ("events all(tick:5..3)", .invalidRange("5..3"), 16),
      ("events all(event:99999999999999999999)", .invalidNumber("99999999999999999999"), 17),
      ("events all(tick:+1)", .invalidNumber("+1"), 16),
      ("events all(tick:٣)", .invalidNumber("٣"), 16),
      ("events all(entity:a)", .invalidNumber("a"), 18),
      ("events all(entity:1.2.3)", .invalidNumber("1.2.3"), 18),
      ("events all(entity:4294967296)", .invalidNumber("4294967296"), 18),
      ("events all(:a)", .unexpected(":"), 11), ("events all((added))", .unexpected("("), 11),
    ]
    for (text, reason, position) in cases {
      expectEqual(error(text)?.reason, reason, "\(text)")
      expectEqual(error(text)?.position, position, "\(text)")
    }
    expectEqual(
      error("events all(tick:5..3)").map { "\($0)" },
      "at 16: the range '5..3' ends before it begins")
  }

  @Test func `any text is a query or an error`() {
    let parts = [
      "events", "entities", "where", "all", "any", "none", "(", ")", ":", "\"", "\\", "-", "..",
      " ",
      "system", "info", "tick", "added", "7", "é", "👩‍👩‍👧", "\n", "\u{0}",
    ]
    var random = SplitMix64(seed: 3)
    var queries = 0
    for _ in 0..<Effort.full(200_000, debug: 20_000) {
      var text = random.oneIn(2) ? "events where all(" : ""
      for _ in 0..<random.below(12) { text += parts[random.below(parts.count)] }
      if let error = error(text) {
        expectTrue((0...text.count).contains(error.position) && !"\(error)".isEmpty)
      } else {
        queries += 1
      }
    }
    expectGreaterThan(queries, 10)
  }
}
