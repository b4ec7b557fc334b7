#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// A film rental as Sakila is: triggers that note changes and keep a table of texts, two links to one table, tables that
  /// refer to each other, cascades, restrictions, and tables that nothing here describes.
  @Suite(.noHangs) struct RentalShapeTests {
    struct Language: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Film: Component, Equatable {
      var id = 0
      var title = ""
      var text: String?
      var rating = "G"
    }
    struct Actor: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Shop: Component, Equatable {
      var id = 0
      var manager = 0
    }
    struct Staff: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Payment: Component, Equatable {
      var id = 0
      var amount = 0.0
    }
    enum Spoken: ToOneRelation {}
    enum Original: ToOneRelation {}
    enum Plays: Relation {}
    enum WorksAt: ToOneRelation {}
    enum PaidTo: ToOneRelation {}

    static let sql = """
      CREATE TABLE language(language_id INTEGER PRIMARY KEY, name CHAR(20) NOT NULL, last_update TIMESTAMP DEFAULT 'new');
      CREATE TABLE film(film_id INTEGER PRIMARY KEY, title VARCHAR(255) NOT NULL, description BLOB SUB_TYPE TEXT DEFAULT NULL,
        language_id SMALLINT NOT NULL REFERENCES language ON DELETE RESTRICT ON UPDATE CASCADE,
        original_language_id SMALLINT DEFAULT NULL REFERENCES language ON DELETE SET NULL ON UPDATE CASCADE,
        rating VARCHAR(10) DEFAULT 'G' CHECK (rating IN ('G', 'PG', 'R')), last_update TIMESTAMP DEFAULT 'new',
        words INTEGER AS (length(title) - length(replace(title, ' ', '')) + 1) STORED);
      CREATE TABLE film_text(film_id SMALLINT PRIMARY KEY, title TEXT, description TEXT) WITHOUT ROWID;
      CREATE TABLE actor(actor_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE film_actor(actor_id INT NOT NULL REFERENCES actor ON DELETE NO ACTION ON UPDATE CASCADE,
        film_id INT NOT NULL REFERENCES film ON DELETE CASCADE ON UPDATE CASCADE, last_update TIMESTAMP DEFAULT 'new',
        PRIMARY KEY (actor_id, film_id));
      CREATE TABLE store(store_id INTEGER PRIMARY KEY, manager_staff_id SMALLINT NOT NULL REFERENCES staff DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE staff(staff_id INTEGER PRIMARY KEY, name TEXT NOT NULL, active SMALLINT DEFAULT 1,
        store_id INT REFERENCES store DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE inventory(inventory_id INTEGER PRIMARY KEY, film_id INT NOT NULL REFERENCES film ON DELETE CASCADE ON UPDATE CASCADE,
        store_id INT NOT NULL REFERENCES store);
      CREATE TABLE rental(rental_id INTEGER PRIMARY KEY, inventory_id INT REFERENCES inventory ON DELETE CASCADE);
      CREATE TABLE payment(payment_id INTEGER PRIMARY KEY, staff_id INT NOT NULL REFERENCES staff,
        rental_id INT DEFAULT NULL REFERENCES rental ON DELETE SET NULL, amount DECIMAL(5,2) NOT NULL);
      CREATE UNIQUE INDEX idx_title ON film(title) WHERE rating = 'R';
      CREATE VIEW film_list AS SELECT f.film_id, f.title, l.name AS language, group_concat(a.name) AS actors FROM film f
        JOIN language l USING (language_id) LEFT JOIN film_actor USING (film_id) LEFT JOIN actor a USING (actor_id) GROUP BY f.film_id;
      CREATE TRIGGER film_touched AFTER UPDATE ON film BEGIN UPDATE film SET last_update = 'touched' WHERE film_id = new.film_id; END;
      CREATE TRIGGER language_touched AFTER UPDATE ON language BEGIN
        UPDATE language SET last_update = 'touched' WHERE language_id = new.language_id; END;
      CREATE TRIGGER ins_film AFTER INSERT ON film BEGIN
        INSERT INTO film_text VALUES (new.film_id, new.title, new.description); END;
      CREATE TRIGGER upd_film AFTER UPDATE OF film_id, title, description ON film BEGIN
        UPDATE film_text SET film_id = new.film_id, title = new.title, description = new.description WHERE film_id = old.film_id; END;
      CREATE TRIGGER del_film AFTER DELETE ON film BEGIN DELETE FROM film_text WHERE film_id = old.film_id; END;
      CREATE TRIGGER shouts BEFORE INSERT ON actor WHEN new.name = '' BEGIN SELECT RAISE(ABORT, 'a name, please'); END;
      INSERT INTO language(language_id, name) VALUES (1, 'English'), (2, 'Italian'), (6, 'German');
      INSERT INTO film(film_id, title, description, language_id, original_language_id, rating) VALUES
        (1, 'ACADEMY DINOSAUR', 'An Epic', 1, 2, 'PG'), (2, 'ACE', NULL, 1, NULL, 'G'), (3, 'ADAPTATION', 'A', 6, 6, 'R');
      INSERT INTO actor VALUES (1, 'PENELOPE'), (2, 'NICK'), (3, 'ED');
      INSERT INTO film_actor VALUES (1, 1, '2006'), (2, 1, '2007'), (3, 3, '2008'), (1, 2, NULL);
      INSERT INTO store VALUES (1, 1), (2, 2); INSERT INTO staff VALUES (1, 'Mike', 1, 1), (2, 'Jon', 0, 2), (3, 'Eve', 1, NULL);
      INSERT INTO inventory VALUES (1, 1, 1), (2, 3, 2), (3, 2, 1); INSERT INTO rental VALUES (1, 1), (2, 2), (3, 3);
      INSERT INTO payment VALUES (1, 1, 1, 2.99), (2, 2, 2, 0.99), (3, 1, NULL, 5);
      """

    let languages: ECSStore.Table<Language, Int>
    let films: ECSStore.Table<Film, Int>
    let actors: ECSStore.Table<Actor, Int>
    let shops: ECSStore.Table<Shop, Int>
    let staff: ECSStore.Table<Staff, Int>
    let payments: ECSStore.Table<Payment, Int>

    init(isOnRequest: Bool = false) throws {
      let languages = try Table("language", key: \Language.id) {
        Fields(of: Language()) {
          Field(\.id, at: "language_id")
          Field(\.name, at: "name")
        }
      }
      let films = try Table("film", key: \Film.id) {
        Fields(of: Film()) {
          Field(\.id, at: "film_id")
          Field(\.title, at: "title")
          Field(\.text, at: "description")
          Field(\.rating, at: "rating")
        }
        Nested(
          one: languages.recipe, at: "language_id", as: .key, through: .targets(of: Spoken.self))
        Nested(
          one: languages.recipe, at: "original_language_id", as: .key,
          through: .targets(of: Original.self))
      }
      actors = try Table("actor", key: \Actor.id) {
        Fields(of: Actor()) {
          Field(\.id, at: "actor_id")
          Field(\.name, at: "name")
        }
        Nested(many: films.recipe, at: "films", as: .key, through: .targets(of: Plays.self))
      } columns: {
        Link(Plays.self).named("film_actor").columns(owner: "actor_id", nested: "film_id")
      }
      let shops = try Table("store", key: \Shop.id) {
        Fields(of: Shop()) {
          Field(\.id, at: "store_id")
          Field(\.manager, at: "manager_staff_id")
        }
      }
      let staff = try Table("staff", key: \Staff.id) {
        Fields(of: Staff()) {
          Field(\.id, at: "staff_id")
          Field(\.name, at: "name")
        }
        Nested(one: shops.recipe, at: "store_id", as: .key, through: .targets(of: WorksAt.self))
      }
      let payments = try Table("payment", key: \Payment.id) {
        Fields(of: Payment()) {
          Field(\.id, at: "payment_id")
          Field(\.amount, at: "amount")
        }
        Nested(one: staff.recipe, at: "staff_id", as: .key, through: .targets(of: PaidTo.self))
      }
      self.languages = isOnRequest ? languages.onRequest() : languages
      self.payments = isOnRequest ? payments.onRequest() : payments
      (self.films, self.shops, self.staff) = (films, shops, staff)
    }

    private func schema(_ evolution: Schema.Evolution) throws -> Schema {
      try Schema(evolution: evolution) {
        films
        languages
        actors
        payments
        shops
        staff
      }
    }

    @Test func `reading it changes nothing`() throws {
      try OtherProgram.read(RentalShapeTests.sql, schema)
    }

    @Test(arguments: OpeningMode.allCases)
    func `a film rental has what SQLite would have`(mode: OpeningMode) throws {
      try RentalShapeTests(isOnRequest: mode.isOnRequest).run(mode)
    }

    private func run(_ mode: OpeningMode) throws {
      let program = try OtherProgram(RentalShapeTests.sql, mode, schema)
      try program.edit(
        "triggers",
        as: """
          UPDATE film SET title = 'A Dinosaur', description = NULL WHERE film_id = 1; UPDATE language SET name = 'Deutsch' WHERE language_id = 6;
          INSERT INTO film(film_id, title, description, rating, language_id) VALUES (10, 'Three Word Title', 'd', 'R', 2)
          """
      ) { session in
        try session.repository(films).require(1).update(Film.self) {
          $0.title = "A Dinosaur"
          $0.text = nil
        }
        let languages = session.repository(languages)
        try languages.require(6).update(Language.self) { $0.name = "Deutsch" }
        let italian = try languages.require(2)
        try session.repository(films).create(
          Film(id: 10, title: "Three Word Title", text: "d", rating: "R")
        ) { $0.relate(Spoken.self, to: italian) }
      }
      try program.edit(
        "keys that cascade",
        as: """
          UPDATE film SET film_id = 33 WHERE film_id = 3; UPDATE language SET language_id = 7 WHERE language_id = 6
          """
      ) {
        try $0.repository(films).require(3).update(Film.self) { $0.id = 33 }
        try $0.repository(languages).require(6).update(Language.self) { $0.id = 7 }
      }
      try program.edit(
        "pairs",
        as: """
          DELETE FROM film_actor WHERE actor_id = 1 AND film_id = 1; INSERT INTO film_actor(actor_id, film_id) VALUES (2, 10);
          UPDATE film SET original_language_id = 1 WHERE film_id = 2
          """
      ) {
        let (films, actors) = ($0.repository(films), $0.repository(actors))
        try actors.require(1).unrelate(Plays.self, from: try films.require(1))
        try actors.require(2).relate(Plays.self, to: try films.require(10))
        let english = try $0.repository(languages).require(1)
        try films.require(2).relate(Original.self, to: english)
      }
      try program.write(
        """
        INSERT INTO rental VALUES (9, 3); UPDATE payment SET rental_id = 9 WHERE payment_id = 3;
        UPDATE film SET title = title || '?' WHERE film_id = 2; DELETE FROM film_actor WHERE actor_id = 3
        """)
      try program.edit(
        "rows that take others along", as: "DELETE FROM film WHERE film_id IN (2, 33)"
      ) {
        try $0.repository(films).require(2).destroy()
        try $0.repository(films).require(33).destroy()
      }
      try program.edit(
        "tables that refer to each other",
        as: """
          PRAGMA defer_foreign_keys = ON; INSERT INTO store VALUES (5, 8); INSERT INTO staff(staff_id, name, store_id) VALUES (8, 'Ann', 5);
          UPDATE payment SET staff_id = 8, amount = 1.25 WHERE payment_id = 2; UPDATE staff SET store_id = 5 WHERE staff_id = 3
          """
      ) { session in
        let shop = try session.repository(shops).create(Shop(id: 5, manager: 8))
        let ann = try session.repository(staff).create(Staff(id: 8, name: "Ann")) {
          $0.relate(WorksAt.self, to: shop)
        }
        let payment = try session.repository(payments).require(2)
        payment.relate(PaidTo.self, to: ann)
        payment.update(Payment.self) { $0.amount = 1.25 }
        try session.repository(staff).require(3).relate(WorksAt.self, to: shop)
      }
      try program.refuse("a manager who goes") { try $0.repository(staff).require(2).destroy() }
      try program.refuse("a shop without a manager") {
        try $0.repository(shops).create(Shop(id: 6, manager: 77))
      }
      try program.refuse("what a trigger refuses") {
        try $0.repository(actors).create(Actor(id: 9, name: ""))
      }
      try program.refuse("a rating that is none") {
        try $0.repository(films).require(1).update(Film.self) { $0.rating = "X" }
      }
      try program.edit("after that", as: "UPDATE actor SET name = 'Nick' WHERE actor_id = 2") {
        try $0.repository(actors).require(2).update(Actor.self) { $0.name = "Nick" }
      }
    }
  }
#endif
