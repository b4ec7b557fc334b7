#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Files of other programs that are used as they are: with the shapes of Chinook, Northwind and Sakila.
  @Suite(.noHangs) struct AdoptionTests {
    private func bytes(_ file: OtherFile) throws -> Data { try Data(contentsOf: file.url) }

    private func tables(_ evolution: Schema.Evolution) throws -> Schema {
      let shop = try Shop()
      return try shop.schema(evolution)
    }

    @Test func `reading an adopted file changes no byte of it, and tells what it lacks`() throws {
      let file = try OtherFile(Shop.sql)
      let before = try bytes(file)
      for isReadOnly in [true, false] {
        var options = Store.Options()
        options.isReadOnly = isReadOnly
        let store = try Store(at: .file(file.url), schema: tables(.adopting), options: options)
        let session = try store.session()
        expectTrue(session.loaded.rows == 12 && session.loaded.unreadable.isEmpty)
        expectEqual(store.missing.count, 5)
        try expectTrue(isReadOnly || session.save() == SaveReport())
        try store.close()
        try expectEqual(bytes(file), before)
      }
    }

    @Test func `a file of another program can be opened to be read`() throws {
      let file = try OtherFile(Shop.sql)
      let before = try bytes(file)
      var options = Store.Options()
      options.isReadOnly = true
      let store = try Store(at: .file(file.url), schema: tables(.automatic), options: options)
      try expectEqual(store.session().loaded.rows, 12)
      try store.close()
      try expectEqual(bytes(file), before)
    }

    @Test func `saving to an adopted file changes rows and nothing else`() throws {
      let file = try OtherFile(Shop.sql)
      let header = try bytes(file)[18..<20]
      let names = try file.rows("SELECT name, sql FROM sqlite_master")
      let shop = try Shop()
      let store = try Store(at: .file(file.url), schema: shop.schema(.adopting))
      let session = try store.session()
      let copy = try file.copy()
      let (customers, orders) = (
        session.repository(shop.customers), session.repository(shop.orders)
      )
      try customers.require("ANN").update(Shop.Customer.self) { $0.city = "Rome" }
      try customers.require("BEA").update(Shop.Customer.self) { $0.key = "BEE" }
      let order = try orders.require(2)
      order.relate(Shop.Tagged.self, to: try session.repository(shop.tags).require("new"))
      order.unrelate(Shop.Tagged.self, from: try session.repository(shop.tags).require("old"))
      try session.repository(shop.lines).require(KeyPair(1, 7)).update(Shop.Line.self) {
        $0.count = 5
      }
      try session.repository(shop.lines).delete(key: KeyPair(2, 8))
      session.context.createEntity(with: Shop.Message(text: "third"))
      try orders.require(3).destroy()
      try copy.execute(
        """
        UPDATE Customers SET City = 'Rome' WHERE "Customer Id" = 'ANN';
        UPDATE Customers SET "Customer Id" = 'BEE' WHERE "Customer Id" = 'BEA';
        DELETE FROM OrderTags WHERE Tag = 'old' AND "Order" = 2;
        INSERT INTO OrderTags("Order", Tag) VALUES (2, 'new');
        UPDATE "Order Lines" SET Count = 5 WHERE OrderId = 1;
        DELETE FROM "Order Lines" WHERE OrderId = 2;
        INSERT INTO messages(Text) VALUES ('third');
        DELETE FROM Orders WHERE Id = 3;
        """, enforcing: true)
      try session.save()
      try expectEqual(file.cells(), copy.cells())
      try expectTrue(session.refresh() == MergeReport() && session.save() == SaveReport())
      let message = session.context.group(Shop.Message.matcher).compactMap {
        $0.get(Shop.MessageID.self)?.value
      }
      expectEqual(message.sorted(), [4, 9, 10])
      try store.close()
      try expectEqual(bytes(file)[18..<20], header)
      try expectEqual(file.rows("SELECT name, sql FROM sqlite_master"), names)
      try expectEqual(file.rows("SELECT * FROM pragma_user_version"), ["0"])
    }

    @Test(arguments: [Schema.Evolution.automatic, .manual, .adopting])
    func `what can't be used is refused before a byte is changed`(evolution: Schema.Evolution)
      throws
    {
      for (sql, expected) in [
        (
          "CREATE TABLE Tags(Tag TEXT PRIMARY KEY NOT NULL, Rank INTEGER AS (length(Tag)))",
          "transient()"
        ),
        ("CREATE TABLE Tags(Tag TEXT NOT NULL, Rank INTEGER)", "the key is"),
        ("CREATE TABLE Tags(Tag TEXT PRIMARY KEY NOT NULL, Rank TEXT)", "is of type TEXT"),
      ] {
        let file = try OtherFile(sql + "; CREATE TABLE other(x); INSERT INTO other VALUES (1)")
        let before = try bytes(file)
        let tags = try Table("Tags", key: \Shop.Tag.key) {
          Fields(of: Shop.Tag()) {
            Field(\.key, at: "Tag")
            Field(\.rank, at: "Rank")
          }
        }
        guard
          case .schemaMismatch("Tags", let detail)? = storeError({
            _ = try Store(at: .file(file.url), schema: Schema(evolution: evolution) { tags })
          })
        else {
          Issue.record("it was opened")
          continue
        }
        expectTrue(detail.contains(expected), "\(detail)")
        try expectEqual(bytes(file), before)
      }
    }

    @Test func `an adopted file has to be there`() throws {
      let folder = try Folder()
      let schema = try tables(.adopting)
      #expect(throws: StoreError.self) { try Store(at: .file(folder.file()), schema: schema) }
      expectEqual(folder.names, [])
    }
  }

  /// A shop as other programs keep it.
  struct Shop {
    struct Customer: Component, Equatable {
      var key = ""
      var city: String?
    }
    struct Order: Component, Equatable {
      var id = 0
      var note = ""
    }
    struct Line: Component, Equatable {
      var order = 0
      var product = 0
      var count = 0
    }
    struct Tag: Component, Equatable {
      var key = ""
      var rank = 0
    }
    struct MessageID: Component { var value: Int64 = 0 }
    struct Message: Component { var text = "" }
    enum OrderedBy: ToOneRelation {}
    enum Tagged: Relation {}

    static let sql = """
      CREATE TABLE Customers("Customer Id" TEXT PRIMARY KEY NOT NULL, City NVARCHAR(15), Phone TEXT DEFAULT '0',
        Shout TEXT AS (upper(City)) STORED) WITHOUT ROWID;
      CREATE TABLE Orders(Id INTEGER PRIMARY KEY, Note TEXT NOT NULL, Freight NUMERIC DEFAULT 1.5,
        Customer TEXT REFERENCES Customers ON UPDATE CASCADE ON DELETE RESTRICT, last_update TEXT);
      CREATE TABLE "Order Lines"(OrderId INTEGER NOT NULL REFERENCES Orders ON DELETE CASCADE,
        ProductId INTEGER NOT NULL, Count SMALLINT NOT NULL CHECK (Count > 0), PRIMARY KEY (OrderId, ProductId));
      CREATE TABLE Tags(Tag TEXT PRIMARY KEY NOT NULL);
      CREATE TABLE OrderTags("Order" INTEGER NOT NULL REFERENCES Orders ON DELETE CASCADE,
        Tag TEXT NOT NULL REFERENCES Tags, Since TEXT DEFAULT 'today', PRIMARY KEY ("Order", Tag)) WITHOUT ROWID;
      CREATE TABLE messages(Id INTEGER PRIMARY KEY, Text TEXT NOT NULL);
      CREATE VIEW Cities AS SELECT DISTINCT City FROM Customers;
      CREATE TRIGGER orders_touched AFTER UPDATE ON Orders BEGIN
        UPDATE Orders SET last_update = 'touched' WHERE Id = new.Id; END;
      INSERT INTO Customers("Customer Id", City, Phone) VALUES ('ANN', 'Bern', '1'), ('BEA', NULL, '2');
      INSERT INTO Orders VALUES (1, 'a', 2.25, 'ANN', NULL), (2, 'b', 3, 'BEA', NULL), (3, 'c', 4, NULL, 'x');
      INSERT INTO "Order Lines" VALUES (1, 7, 1), (2, 8, 2), (3, 9, 3);
      INSERT INTO Tags VALUES ('new');
      INSERT INTO Tags VALUES ('old');
      INSERT INTO OrderTags VALUES (2, 'old', '2001'), (1, 'old', '2002'), (3, 'new', '2003');
      INSERT INTO messages VALUES (4, 'first'), (9, 'second');
      """

    let customers: ECSStore.Table<Customer, String>
    let orders: ECSStore.Table<Order, Int>
    let lines: ECSStore.Table<Line, KeyPair<Int, Int>>
    let tags: ECSStore.Table<Tag, String>
    let messages: ECSStore.Table<Message, Int64>

    init() throws {
      let customers = try Table("Customers", key: \Customer.key) {
        Fields(of: Customer()) {
          Field(\.key, at: "Customer Id")
          Field(\.city, at: "City")
        }
      }
      let tags = try Table("Tags", key: \Tag.key) {
        Fields(of: Tag()) { Field(\.key, at: "Tag") }
      }
      orders = try Table("Orders", key: \Order.id) {
        Fields(of: Order()) {
          Field(\.id, at: "Id")
          Field(\.note, at: "Note")
        }
        Nested(
          one: customers.recipe, at: "Customer", as: .key, through: .targets(of: OrderedBy.self))
        Nested(many: tags.recipe, at: "tags", as: .key, through: .targets(of: Tagged.self))
      } columns: {
        Column(\Order.note).indexed()
        Link(Tagged.self).named("OrderTags").columns(owner: "Order", nested: "Tag")
      }
      lines = try Table("Order Lines", key: \Line.order, \Line.product) {
        Fields(of: Line()) {
          Field(\.order, at: "OrderId")
          Field(\.product, at: "ProductId")
          Field(\.count, at: "Count")
        }
      } columns: {
        Column(\Line.count).indexed()
      }
      messages = try Table(
        "Messages", of: Message.self, generatedKey: \MessageID.value, in: MessageID()
      ) {
        Fields(of: Message()) { Field(\.text, at: "Text") }
      }
      (self.customers, self.tags) = (customers, tags)
    }

    func schema(_ evolution: Schema.Evolution) throws -> Schema {
      try Schema(evolution: evolution) {
        orders
        lines
        messages
        customers
        tags
      }
    }
  }
#endif
