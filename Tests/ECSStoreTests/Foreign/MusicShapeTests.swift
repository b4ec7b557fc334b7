#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// A music shop as Chinook is: integer keys, links that may not be NULL, a hierarchy, a join table, prices.
  @Suite(.noHangs) struct MusicShapeTests {
    struct Artist: Component, Equatable {
      var id = 0
      var name: String?
    }
    struct Album: Component, Equatable {
      var id = 0
      var title = ""
    }
    struct Track: Component, Equatable {
      var id = 0
      var name = ""
      var price = 0.99
    }
    struct Playlist: Component, Equatable {
      var id = 0
      var name: String?
    }
    struct Employee: Component, Equatable {
      var id = 0
      var title = ""
      var hired: String?
    }
    struct LineID: Component { var value: Int64 = 0 }
    struct Line: Component, Equatable {
      var track = 0
      var count = 1
    }
    enum AlbumArtist: ToOneRelation {}
    enum TrackAlbum: ToOneRelation {}
    enum Listed: Relation {}
    enum ReportsTo: Hierarchy {}

    static let sql = """
      CREATE TABLE [Artist]([ArtistId] INTEGER NOT NULL, [Name] NVARCHAR(120), CONSTRAINT [PK_Artist] PRIMARY KEY ([ArtistId]));
      CREATE TABLE [Album]([AlbumId] INTEGER NOT NULL, [Title] NVARCHAR(160) NOT NULL, [ArtistId] INTEGER NOT NULL,
        CONSTRAINT [PK_Album] PRIMARY KEY ([AlbumId]),
        FOREIGN KEY ([ArtistId]) REFERENCES [Artist]([ArtistId]) ON DELETE NO ACTION ON UPDATE NO ACTION);
      CREATE TABLE [Track]([TrackId] INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, [Name] NVARCHAR(200) NOT NULL,
        [AlbumId] INTEGER REFERENCES [Album]([AlbumId]), [Composer] NVARCHAR(220), [Bytes] INTEGER,
        [UnitPrice] NUMERIC(10,2) NOT NULL, [Cents] INTEGER AS (round(UnitPrice * 100)) STORED);
      CREATE TABLE [Playlist]([PlaylistId] INTEGER PRIMARY KEY NOT NULL, [Name] NVARCHAR(120));
      CREATE TABLE [PlaylistTrack]([PlaylistId] INTEGER NOT NULL, [TrackId] INTEGER NOT NULL,
        CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY ([PlaylistId], [TrackId]),
        FOREIGN KEY ([PlaylistId]) REFERENCES [Playlist]([PlaylistId]),
        FOREIGN KEY ([TrackId]) REFERENCES [Track]([TrackId]) ON DELETE CASCADE);
      CREATE TABLE [Employee]([EmployeeId] INTEGER NOT NULL PRIMARY KEY, [Title] VARCHAR(30) NOT NULL,
        [ReportsTo] INTEGER REFERENCES [Employee]([EmployeeId]), [HireDate] DATETIME, [Fax] TEXT DEFAULT 'none');
      CREATE TABLE [InvoiceLine]([InvoiceLineId] INTEGER PRIMARY KEY NOT NULL, [TrackId] INTEGER NOT NULL REFERENCES [Track],
        [Quantity] INTEGER NOT NULL, [Note] TEXT DEFAULT 'by default');
      CREATE INDEX [IFK_AlbumArtistId] ON [Album] ([ArtistId]);
      CREATE UNIQUE INDEX [IPK_Artist] ON [Artist]([ArtistId]);
      CREATE VIEW [Catalog] AS SELECT t.Name, a.Title, r.Name AS Artist FROM Track t
        LEFT JOIN Album a USING (AlbumId) LEFT JOIN Artist r USING (ArtistId);
      INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Motörhead'), (3, NULL);
      INSERT INTO Album VALUES (1, 'High Voltage', 1), (2, 'Bomber', 2), (4, 'Überkill', 2);
      INSERT INTO Track(TrackId, Name, AlbumId, Composer, Bytes, UnitPrice) VALUES (1, 'T.N.T.', 1, 'Young', 11170334, 0.99),
        (2, 'Stone Dead Forever', 2, NULL, NULL, 1), (3, 'Loose', NULL, 'x' || char(0) || 'y', 9007199254740993, 1.5),
        (9, 'Capricorn', 4, x'00ff', 2.5, 0.99);
      INSERT INTO Playlist VALUES (1, 'Music'), (8, 'Music');
      INSERT INTO PlaylistTrack VALUES (1, 3), (1, 1), (8, 9), (8, 2), (8, 1);
      INSERT INTO Employee VALUES (1, 'General Manager', NULL, '2002-08-14 00:00:00', NULL), (2, 'Sales Manager', 1, '2002-05-01 00:00:00', '+1'),
        (3, 'Agent', 2, NULL, 'none');
      INSERT INTO InvoiceLine VALUES (5, 1, 1, NULL), (7, 2, 3, 'n');
      """

    let artists: ECSStore.Table<Artist, Int>
    let albums: ECSStore.Table<Album, Int>
    let tracks: ECSStore.Table<Track, Int>
    let playlists: ECSStore.Table<Playlist, Int>
    let employees: ECSStore.Table<Employee, Int>
    let lines: ECSStore.Table<Line, Int64>

    init(isOnRequest: Bool = false) throws {
      let artists = try Table("Artist", key: \Artist.id) {
        Fields(of: Artist()) {
          Field(\.id, at: "ArtistId")
          Field(\.name, at: "Name")
        }
      }
      let albums = try Table("Album", key: \Album.id) {
        Fields(of: Album()) {
          Field(\.id, at: "AlbumId")
          Field(\.title, at: "Title")
        }
        Nested(
          one: artists.recipe, at: "ArtistId", as: .key, through: .targets(of: AlbumArtist.self))
      }
      let tracks = try Table("Track", key: \Track.id) {
        Fields(of: Track()) {
          Field(\.id, at: "TrackId")
          Field(\.name, at: "Name")
          Field(\.price, at: "UnitPrice")
        }
        Nested(one: albums.recipe, at: "AlbumId", as: .key, through: .targets(of: TrackAlbum.self))
      }
      playlists = try Table("Playlist", key: \Playlist.id) {
        Fields(of: Playlist()) {
          Field(\.id, at: "PlaylistId")
          Field(\.name, at: "Name")
        }
        Nested(many: tracks.recipe, at: "tracks", as: .key, through: .targets(of: Listed.self))
      } columns: {
        Link(Listed.self).named("PlaylistTrack").columns(owner: "PlaylistId", nested: "TrackId")
      }
      let employees = try Table("Employee", key: \Employee.id) {
        Fields(of: Employee()) {
          Field(\.id, at: "EmployeeId")
          Field(\.title, at: "Title")
          Field(\.hired, at: "HireDate")
        }
        Nested.itself(oneAt: "ReportsTo", as: .key, through: .targets(of: ReportsTo.self))
      }
      let lines = try Table(
        "InvoiceLine", of: Line.self, generatedKey: \LineID.value, in: LineID()
      ) {
        Fields(of: Line()) {
          Field(\.track, at: "TrackId")
          Field(\.count, at: "Quantity")
        }
      } columns: {
        Column(\LineID.value).named("InvoiceLineId")
      }
      (self.albums, self.tracks) = (albums, tracks)
      self.artists = isOnRequest ? artists.onRequest() : artists
      self.employees = isOnRequest ? employees.onRequest() : employees
      self.lines = isOnRequest ? lines.onRequest() : lines
    }

    private func schema(_ evolution: Schema.Evolution) throws -> Schema {
      try Schema(evolution: evolution) {
        playlists
        tracks
        albums
        artists
        employees
        lines
      }
    }

    @Test func `reading it changes nothing`() throws {
      try OtherProgram.read(MusicShapeTests.sql, schema)
    }

    @Test(arguments: OpeningMode.allCases)
    func `a music shop has what SQLite would have`(mode: OpeningMode) throws {
      try MusicShapeTests(isOnRequest: mode.isOnRequest).run(mode)
    }

    private func run(_ mode: OpeningMode) throws {
      let program = try OtherProgram(MusicShapeTests.sql, mode, schema)
      try program.edit(
        "fields",
        as:
          "UPDATE Track SET UnitPrice = 0.5 WHERE TrackId = 9; UPDATE Artist SET Name = 'The Third' WHERE ArtistId = 3"
      ) {
        try $0.repository(tracks).require(9).update(Track.self) { $0.price = 0.5 }
        try $0.repository(artists).require(3).update(Artist.self) { $0.name = "The Third" }
      }
      try program.edit(
        "links",
        as: """
          UPDATE Album SET ArtistId = 3 WHERE AlbumId = 4; UPDATE Track SET AlbumId = NULL WHERE TrackId = 1;
          UPDATE Employee SET ReportsTo = 1 WHERE EmployeeId = 3
          """
      ) {
        let third = try $0.repository(artists).require(3)
        try $0.repository(albums).require(4).relate(AlbumArtist.self, to: third)
        try $0.repository(tracks).require(1).unrelate(TrackAlbum.self)
        let boss = try $0.repository(employees).require(1)
        try $0.repository(employees).require(3).relate(ReportsTo.self, to: boss)
      }
      try program.edit(
        "pairs",
        as: """
          DELETE FROM PlaylistTrack WHERE PlaylistId = 8 AND TrackId = 2;
          INSERT INTO PlaylistTrack VALUES (8, 3)
          """
      ) {
        let (list, tracks) = (try $0.repository(playlists).require(8), $0.repository(tracks))
        list.unrelate(Listed.self, from: try tracks.require(2))
        list.relate(Listed.self, to: try tracks.require(3))
      }
      try program.edit(
        "new rows",
        as: """
          INSERT INTO Artist VALUES (20, 'New'); INSERT INTO Album VALUES (21, 'N', 20);
          INSERT INTO Track(TrackId, Name, AlbumId, UnitPrice) VALUES (22, 'n', 21, 3.25);
          INSERT INTO PlaylistTrack VALUES (1, 22); INSERT INTO InvoiceLine(TrackId, Quantity, Note) VALUES (22, 4, 'by default')
          """
      ) { session in
        let artist = try session.repository(artists).create(Artist(id: 20, name: "New"))
        let album = try session.repository(albums).create(Album(id: 21, title: "N")) {
          $0.relate(AlbumArtist.self, to: artist)
        }
        let track = try session.repository(tracks).create(Track(id: 22, name: "n", price: 3.25)) {
          $0.relate(TrackAlbum.self, to: album)
        }
        try session.repository(playlists).require(1).relate(Listed.self, to: track)
        session.context.createEntity(with: Line(track: 22, count: 4))
      }
      try program.write(
        "UPDATE Track SET Name = Name || '!', Composer = 'c'; INSERT INTO PlaylistTrack VALUES (1, 9)"
      )
      try program.edit(
        "what goes",
        as: """
          DELETE FROM InvoiceLine WHERE TrackId IN (22, 2); DELETE FROM Track WHERE TrackId IN (22, 2);
          DELETE FROM Album WHERE AlbumId = 21; DELETE FROM Artist WHERE ArtistId = 20
          """
      ) { session in
        for line in try session.repository(lines).all() {
          if let track = line.get(Line.self)?.track, [22, 2].contains(track) { line.destroy() }
        }
        try session.repository(tracks).require(22).destroy()
        try session.repository(tracks).require(2).destroy()
        try session.repository(albums).require(21).destroy()
        try session.repository(artists).require(20).destroy()
      }
      try program.refuse("an artist of albums") { try $0.repository(artists).require(2).destroy() }
      try program.edit("after that", as: "UPDATE Playlist SET Name = NULL WHERE PlaylistId = 1") {
        try $0.repository(playlists).require(1).update(Playlist.self) { $0.name = nil }
      }
    }
  }
#endif
