#if SQLite
  import ECSTestSupport
  import ECS
  import ECSStore
  import Testing

  /// What tables follow from recipes, and what is wrong with them when they are made.
  @Suite struct TableTests {
    private func reason(_ body: () throws -> Void) -> SchemaError.Reason? {
      do {
        try body()
        return nil
      } catch {
        return (error as? SchemaError)?.reason
      }
    }

    private var parts: [RecipePart] {
      RecipeBuilder.buildExpression(
        Fields(of: Book()) {
          Field(\.isbn, at: "isbn")
          Field(\.title, at: "title")
          Field(\.number, at: "number")
        })
    }

    @Test func `adjustments rename, leave out, and demand values`() throws {
      let table = try Table("book", key: \Book.isbn) {
        parts
      } columns: {
        Column(\Book.title).named("name").unique()
        Column(\Book.number).notNull()
        Index("name", "number")
      }
      expectEqual(
        table.columns,
        [
          ColumnDescription("isbn", .text, isNullable: false),
          ColumnDescription(
            "name", .text, isNullable: false, isUnique: true, defaultValue: .text("")),
          ColumnDescription("number", .blob, isNullable: false),
        ])
      let short = try Table("book", key: \Book.isbn) {
        parts
      } columns: {
        Column(\Book.title).transient()
      }
      expectEqual(short.columns.map(\.name), ["isbn", "number"])
      expectEqual(short.name, "book")
      expectEqual(short.recipe.fields.count, 3)
    }

    @Test func `what a recipe does not map is told`() throws {
      expectEqual(
        reason {
          _ = try Table("book", key: \Book.isbn) {
            parts
          } columns: {
            Column(\Book.pages).indexed()
          }
        }, .unmappedColumn("Book.pages"))
      expectEqual(
        reason {
          _ = try Table("book", key: \Book.isbn) {
            parts
          } columns: {
            Index("isbn", "x")
          }
        },
        .unmappedColumn("x"))
      expectEqual(
        reason {
          _ = try Table("book", key: \Book.isbn) {
            parts
          } columns: {
            Link(WrittenBy.self)
          }
        }, .unmappedColumn("WrittenBy"))
      expectEqual(
        reason { _ = try Table("log", of: LogLine.self) { parts } }, .rootNotMapped("LogLine"))
    }

    @Test func `keys that are not mapped, or may be missing, are told`() throws {
      let fields = RecipeBuilder.buildExpression(
        Fields(of: Book()) { Field(\.title, at: "title") })
      guard case .recipe? = reason({ _ = try Table("book", key: \Book.isbn) { fields } }) else {
        Issue.record("not mapped")
        return
      }
      let recipe = try Recipe("book") {
        fields
        Fields(of: Author()) { Field(\.id, at: "id") }
      }
      expectNil(
        reason { _ = try Table(recipe, key: \Author.id) })
      guard case .unmappedColumn? = reason({ _ = try Table(recipe, key: \Book.isbn) }) else {
        Issue.record("not mapped")
        return
      }
    }

    @Test func `names that are twice, or nobody may use, are told`() throws {
      expectEqual(
        reason {
          _ = try Table("book", key: \Book.isbn) {
            parts
          } columns: {
            Column(\Book.title).named("ISBN")
          }
        }, .duplicateColumn("ISBN"))
      expectEqual(
        reason {
          _ = try Table("book", key: \Book.isbn) {
            parts
          } columns: {
            Column(\Book.title).named("rowid")
          }
        }, .badName("rowid"))
      for name in ["", "sqlite_x", "ecs_value", "a\0b"] {
        expectEqual(reason { _ = try Table(name, key: \Book.isbn) { parts } }, .badName(name))
      }
      let (one, other) = try (
        Table("book", key: \Book.isbn) { parts }, Table("Book", key: \Book.isbn) { parts }
      )
      expectEqual(
        reason {
          _ = try Schema {
            one
            other
          }
        }, .duplicateTable("Book"))
    }

    @Test func `fields that only read are told, unless they are left out`() throws {
      let fields = RecipeBuilder.buildExpression(
        Fields(of: Book()) {
          Field(\.isbn, at: "isbn")
          Field(\.pages, at: "pages", as: Int.transformer.readOnly)
        })
      expectEqual(
        reason { _ = try Table("book", key: \Book.isbn) { fields } }, .oneWay("Book.pages"))
      expectNil(
        reason {
          _ = try Table("book", key: \Book.isbn) {
            fields
          } columns: {
            Column(\Book.pages).transient()
          }
        })
    }

    @Test func `columns of a Codable component are adjusted by its properties`() throws {
      let parts = RecipeBuilder.buildExpression(AutomaticFields(of: Settings()))
      let table = try Table("settings", of: Settings.self) {
        parts
      } columns: {
        Column(\Settings.theme).named("look").unique()
      }
      expectTrue(table.columns[0].name == "look" && table.columns[0].isUnique)
      expectEqual(
        reason {
          _ = try Table("settings", of: Settings.self) {
            parts
          } columns: {
            Column(\Settings.theme).transient()
          }
        }, .notSeparable("Settings.theme"))
    }

    @Test func `values that have no form are told`() throws {
      let fields = RecipeBuilder.buildExpression(
        Fields(of: Seat(price: .nan)) {
          Field(\.row, at: "row")
          Field(\.price, at: "price")
        })
      guard
        case .badValue("Seat.price", _)? = reason({
          _ = try Table("seat", of: Seat.self) { fields }
        })
      else {
        Issue.record("the template's")
        return
      }
      guard
        case .badValue("Book.title", _)? = reason({
          _ = try Table("book", key: \Book.isbn) {
            parts
          } columns: {
            Column(\Book.title).forExistingRows(5)
          }
        })
      else {
        Issue.record("that of existing rows")
        return
      }
    }

    @Test func `a nested recipe needs a table with a key`() throws {
      let books = try Library.books()
      expectEqual(reason { _ = try Schema { books } }, .nestedWithoutTable("authors"))
    }

    @Test func `relations are kept once, in columns or tables of pairs`() throws {
      let (authors, books) = try (Library.authors(), Library.books())
      let recipe = try Recipe("author") {
        Fields(of: Author()) { Field(\.id, at: "id") }
        Identity(\Author.id)
        Nested(many: books.recipe, at: "books", as: .object, through: .sources(of: WrittenBy.self))
      }
      let both = try Table(recipe, key: \Author.id)
      let schema = try Schema {
        both
        books
      }
      expectEqual(schema.plan.pairNames, ["book_authors"])
      let children = try Table("author", key: \Author.id) {
        Fields(of: Author()) { Field(\.id, at: "id") }
        Nested.itself(manyAt: "students", as: .key, through: .sources(of: PublishedBy.self))
      } columns: {
        Link(PublishedBy.self).named("taught_by")
      }
      try expectEqual(Schema { children }.plan.pairNames, ["taught_by"])
      _ = authors
    }
  }
#endif
