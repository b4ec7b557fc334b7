#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  @Suite(.longRunning, .noHangs) struct SessionRaceTests {
    @Test func `what is saved while others change is whole, and nothing is lost`() throws {
      let store = try Town.store()
      let (one, two) = (try store.session(), try store.session())
      let steps = Effort.raceSteps / 100
      let authors = (0..<8).map {
        one.context.createEntity(with: Author(id: Int64($0), first: "0", last: "0"))
      }
      try one.save()
      Threads.run(8) { thread in
        for step in 1...steps {
          switch thread {
          case 0, 1:
            // Rows are whole: both fields are always the same.
            if (try? one.save()) == nil { Issue.record("a save failed") }
            if step % 8 == 0,
              let rows = try? store.rows("SELECT count(*) FROM author WHERE first <> last")
            {
              if rows != ["0"] { Issue.record("a torn row was saved") }
            }
          case 2:
            if (try? two.save()) == nil { Issue.record("a save of the other session failed") }
          case 3:
            two.context.createEntity(with: Todo(text: "\(step)"))
          case 4:
            let made = one.context.createEntity(with: LogLine(text: "\(step)"))
            if step % 3 == 0 { made.destroy() }
          default:
            authors[thread].set(Author(id: Int64(thread), first: "\(step)", last: "\(step)"))
          }
        }
      }
      try two.save()
      try one.save()
      expectFalse(one.hasChanges)
      expectFalse(two.hasChanges)
      let third = try store.session()
      for thread in 5..<8 {
        expectEqual(third.author(Int64(thread))?.get(Author.self)?.first, "\(steps)")
        expectEqual(two.author(Int64(thread))?.get(Author.self)?.first, "\(steps)")
      }
      expectEqual(third.context.group(Todo.matcher).count, steps)
      expectEqual(one.context.group(Todo.matcher).count, steps)
      expectEqual(third.context.group(LogLine.matcher).count, steps - steps / 3)
    }
  }
#endif
