#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// A trading company as Northwind is: text keys, keys of two columns, names with blanks, checks and defaults, join tables
  /// of texts, dates as texts.
  @Suite(.noHangs) struct TradeShapeTests {
    struct Customer: Component, Equatable {
      var key = ""
      var company = ""
      var city: String?
    }
    struct Order: Component, Equatable {
      var id = 0
      var date: String?
      var freight: Double?
    }
    struct Detail: Component, Equatable {
      var order = 0
      var product = ""
      var price = 0.0
      var quantity = 1
    }
    struct Employee: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Territory: Component, Equatable {
      var key = ""
      var name = ""
    }
    struct Demographic: Component, Equatable {
      var key = ""
      var text: String?
    }
    enum OrderedBy: ToOneRelation {}
    enum TakenBy: ToOneRelation {}
    enum Covers: Relation {}
    enum IsOf: Relation {}

    static let sql = """
      CREATE TABLE Customers(CustomerID TEXT NOT NULL, CompanyName TEXT NOT NULL, City TEXT, Picture BLOB,
        Sort TEXT GENERATED ALWAYS AS (upper(CompanyName) || ' / ' || coalesce(City, '')) VIRTUAL,
        PRIMARY KEY (CustomerID));
      CREATE TABLE CustomerDemographics(CustomerTypeID TEXT NOT NULL PRIMARY KEY, CustomerDesc TEXT) WITHOUT ROWID;
      CREATE TABLE CustomerCustomerDemo(CustomerID TEXT NOT NULL REFERENCES Customers ON DELETE CASCADE ON UPDATE CASCADE,
        CustomerTypeID TEXT NOT NULL REFERENCES CustomerDemographics ON UPDATE CASCADE, Added TEXT DEFAULT 'then',
        PRIMARY KEY (CustomerID, CustomerTypeID));
      CREATE TABLE Employees(EmployeeID INTEGER PRIMARY KEY AUTOINCREMENT, LastName TEXT, Photo BLOB, Notes TEXT DEFAULT '-');
      CREATE TABLE Territories(TerritoryID TEXT NOT NULL PRIMARY KEY, "Territory Description" TEXT NOT NULL);
      CREATE TABLE EmployeeTerritories(EmployeeID INTEGER NOT NULL REFERENCES Employees,
        TerritoryID TEXT NOT NULL REFERENCES Territories, PRIMARY KEY (EmployeeID, TerritoryID)) WITHOUT ROWID;
      CREATE TABLE Orders(OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers ON UPDATE CASCADE ON DELETE RESTRICT,
        EmployeeID INTEGER REFERENCES Employees ON DELETE SET NULL, "Order Date" DATETIME, Freight NUMERIC DEFAULT 0,
        ShipVia INTEGER DEFAULT 3);
      CREATE TABLE "Order Details"(OrderID INTEGER NOT NULL REFERENCES Orders ON DELETE CASCADE, "Product Key" TEXT NOT NULL,
        UnitPrice NUMERIC NOT NULL DEFAULT 0 CHECK (UnitPrice >= 0), Quantity INTEGER NOT NULL DEFAULT 1 CHECK (Quantity > 0),
        Discount REAL NOT NULL DEFAULT 0.25, PRIMARY KEY (OrderID, "Product Key"));
      CREATE VIEW "Order Subtotals" AS SELECT OrderID, sum(UnitPrice * Quantity) AS Subtotal FROM "Order Details" GROUP BY OrderID;
      CREATE VIEW Sorted AS SELECT Sort FROM Customers;
      INSERT INTO Customers(CustomerID, CompanyName, City, Picture) VALUES ('ALFKI', 'Alfreds', 'Berlin', x'89504e47'),
        ('ÉTÉ', 'Été', NULL, NULL), ('alfki', 'alfreds', 'berlin', x''), ('E' || char(769), 'Twin', '', 'text');
      INSERT INTO CustomerDemographics VALUES ('big', 'Big ones'), ('old', NULL), ('Old', 'other');
      INSERT INTO CustomerCustomerDemo VALUES ('ALFKI', 'old', '1997'), ('alfki', 'old', NULL), ('ÉTÉ', 'big', 1997);
      INSERT INTO Employees VALUES (1, 'Davolio', x'0102', 'n'), (4, 'Peacock', NULL, NULL);
      INSERT INTO Territories VALUES ('01581', 'Westboro'), ('1581', 'Other'), ('98004', 'Bellevue');
      INSERT INTO EmployeeTerritories VALUES (1, '01581'), (4, '98004'), (4, '1581');
      INSERT INTO Orders VALUES (10248, 'ALFKI', 1, '1996-07-04', 32.38, 3), (10249, 'ÉTÉ', 4, NULL, 11, NULL),
        (10250, NULL, NULL, '1996-07-08', NULL, 'two');
      INSERT INTO "Order Details" VALUES (10248, '11', 14, 12, 0), (10248, '011', 9.8, 10, 0.15), (10250, 'ü', 7.7, 1, 0.05);
      """

    let customers: ECSStore.Table<Customer, String>
    let orders: ECSStore.Table<Order, Int>
    let details: ECSStore.Table<Detail, KeyPair<Int, String>>
    let employees: ECSStore.Table<Employee, Int>
    let territories: ECSStore.Table<Territory, String>
    let demographics: ECSStore.Table<Demographic, String>

    init(isOnRequest: Bool = false) throws {
      let demographics = try Table("CustomerDemographics", key: \Demographic.key) {
        Fields(of: Demographic()) {
          Field(\.key, at: "CustomerTypeID")
          Field(\.text, at: "CustomerDesc")
        }
      }
      let customers = try Table("Customers", key: \Customer.key) {
        Fields(of: Customer()) {
          Field(\.key, at: "CustomerID")
          Field(\.company, at: "CompanyName")
          Field(\.city, at: "City")
        }
        Nested(many: demographics.recipe, at: "types", as: .key, through: .targets(of: IsOf.self))
      } columns: {
        Link(IsOf.self).named("CustomerCustomerDemo")
          .columns(owner: "CustomerID", nested: "CustomerTypeID")
      }
      let territories = try Table("Territories", key: \Territory.key) {
        Fields(of: Territory()) {
          Field(\.key, at: "TerritoryID")
          Field(\.name, at: "Territory Description")
        }
      }
      let employees = try Table("Employees", key: \Employee.id) {
        Fields(of: Employee()) {
          Field(\.id, at: "EmployeeID")
          Field(\.name, at: "LastName")
        }
        Nested(many: territories.recipe, at: "area", as: .key, through: .targets(of: Covers.self))
      } columns: {
        Link(Covers.self).named("EmployeeTerritories")
          .columns(owner: "EmployeeID", nested: "TerritoryID")
      }
      let orders = try Table("Orders", key: \Order.id) {
        Fields(of: Order()) {
          Field(\.id, at: "OrderID")
          Field(\.date, at: "Order Date")
          Field(\.freight, at: "Freight")
        }
        Nested(
          one: customers.recipe, at: "CustomerID", as: .key, through: .targets(of: OrderedBy.self))
        Nested(
          one: employees.recipe, at: "EmployeeID", as: .key, through: .targets(of: TakenBy.self))
      }
      let details = try Table("Order Details", key: \Detail.order, \Detail.product) {
        Fields(of: Detail()) {
          Field(\.order, at: "OrderID")
          Field(\.product, at: "Product Key")
          Field(\.price, at: "UnitPrice")
          Field(\.quantity, at: "Quantity")
        }
      }
      self.orders = isOnRequest ? orders.onRequest() : orders
      self.details = isOnRequest ? details.onRequest() : details
      (self.customers, self.demographics) = (customers, demographics)
      (self.employees, self.territories) = (employees, territories)
    }

    private func schema(_ evolution: Schema.Evolution) throws -> Schema {
      try Schema(evolution: evolution) {
        orders
        details
        customers
        demographics
        employees
        territories
      }
    }

    @Test func `reading it changes nothing`() throws {
      try OtherProgram.read(TradeShapeTests.sql, schema)
    }

    @Test(arguments: OpeningMode.allCases)
    func `a trading company has what SQLite would have`(mode: OpeningMode) throws {
      try TradeShapeTests(isOnRequest: mode.isOnRequest).run(mode)
    }

    private func run(_ mode: OpeningMode) throws {
      let program = try OtherProgram(TradeShapeTests.sql, mode, schema)
      try program.edit(
        "look-alikes",
        as: """
          UPDATE Customers SET City = 'Bern' WHERE CustomerID = 'alfki'; UPDATE Customers SET City = 'Rome' WHERE CustomerID = 'E' || char(769);
          UPDATE Territories SET "Territory Description" = 'W' WHERE TerritoryID = '1581';
          UPDATE "Order Details" SET Quantity = 3 WHERE "Product Key" = '011'
          """
      ) {
        let (customers, areas) = ($0.repository(customers), $0.repository(territories))
        try customers.require("alfki").update(Customer.self) { $0.city = "Bern" }
        try customers.require("E\u{301}").update(Customer.self) { $0.city = "Rome" }
        try areas.require("1581").update(Territory.self) { $0.name = "W" }
        try $0.repository(details).require(KeyPair(10248, "011")).update(Detail.self) {
          $0.quantity = 3
        }
      }
      try program.edit(
        "keys",
        as: """
          UPDATE Customers SET CustomerID = 'ete' WHERE CustomerID = 'ÉTÉ';
          UPDATE CustomerDemographics SET CustomerTypeID = 'older' WHERE CustomerTypeID = 'old';
          UPDATE "Order Details" SET "Product Key" = '12' WHERE "Product Key" = '11'
          """
      ) {
        try $0.repository(customers).require("ÉTÉ").update(Customer.self) { $0.key = "ete" }
        try $0.repository(demographics).require("old").update(Demographic.self) { $0.key = "older" }
        try $0.repository(details).require(KeyPair(10248, "11")).update(Detail.self) {
          $0.product = "12"
        }
      }
      try program.edit(
        "links and pairs",
        as: """
          UPDATE Orders SET CustomerID = 'ete', EmployeeID = 4 WHERE OrderID = 10248;
          UPDATE Orders SET EmployeeID = NULL WHERE OrderID = 10249;
          DELETE FROM CustomerCustomerDemo WHERE CustomerID = 'alfki';
          INSERT INTO CustomerCustomerDemo(CustomerID, CustomerTypeID) VALUES ('alfki', 'Old');
          INSERT INTO EmployeeTerritories VALUES (1, '98004')
          """
      ) {
        let (customers, employees) = ($0.repository(customers), $0.repository(employees))
        let (orders, types) = ($0.repository(orders), $0.repository(demographics))
        let order = try orders.require(10248)
        order.relate(OrderedBy.self, to: try customers.require("ete"))
        order.relate(TakenBy.self, to: try employees.require(4))
        try orders.require(10249).unrelate(TakenBy.self)
        let small = try customers.require("alfki")
        small.unrelate(IsOf.self, from: try types.require("older"))
        small.relate(IsOf.self, to: try types.require("Old"))
        let area = try $0.repository(territories).require("98004")
        try employees.require(1).relate(Covers.self, to: area)
      }
      try program.write(
        """
        UPDATE Orders SET Freight = Freight + 1, ShipVia = 9; DELETE FROM "Order Details" WHERE "Product Key" = '12';
        INSERT INTO Employees(LastName) VALUES ('Leverling')
        """)
      try program.edit(
        "rows",
        as: """
          INSERT INTO Customers(CustomerID, CompanyName) VALUES ('NEW', 'New');
          INSERT INTO Orders(OrderID, CustomerID, "Order Date", Freight) VALUES (10300, 'NEW', 'today', 2.5);
          INSERT INTO "Order Details"(OrderID, "Product Key", UnitPrice, Quantity) VALUES (10300, 'p', 1.5, 2);
          DELETE FROM Orders WHERE OrderID = 10248; DELETE FROM Employees WHERE EmployeeID = 5;
          DELETE FROM Customers WHERE CustomerID = 'alfki'
          """
      ) { session in
        let customer = try session.repository(customers).create(
          Customer(key: "NEW", company: "New"))
        try session.repository(orders).create(Order(id: 10300, date: "today", freight: 2.5)) {
          $0.relate(OrderedBy.self, to: customer)
        }
        try session.repository(details).create(
          Detail(order: 10300, product: "p", price: 1.5, quantity: 2))
        try session.repository(orders).require(10248).destroy()
        try session.repository(employees).require(5).destroy()
        try session.repository(customers).require("alfki").destroy()
      }
      try program.refuse("a check") {
        try $0.repository(details).require(KeyPair(10300, "p")).update(Detail.self) {
          $0.quantity = 0
        }
      }
      try program.refuse("a key that is taken") {
        try $0.repository(customers).require("NEW").update(Customer.self) { $0.key = "ALFKI" }
      }
      try program.refuse("a detail of no order") {
        try $0.repository(details).create(Detail(order: 1, product: "p"))
      }
    }
  }
#endif
