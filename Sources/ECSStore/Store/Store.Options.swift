#if SQLite
  import ECSLocalStorage
  public import Foundation

  extension Store {
    /// The location of a database.
    public enum Location: Sendable, Hashable {
      /// In a file; two more, with `-wal` and `-shm` behind its name, are beside it while it is
      /// open.
      case file(URL)

      /// For tests and previews; gone with the store.
      case memory
    }

    /// The file of a store in the place where the platform keeps the data of programs, whose folder
    /// is made: beside what `FileStorage(suite:)` keeps of the same name.
    ///
    /// ```swift
    /// let store = try Store(at: .file(Store.defaultURL(suite: "library")), schema: schema)
    /// ```
    ///
    /// - Parameter suite: The name of the folder.
    /// - Returns: A file in it.
    /// - Throws: ``StoreError/cannotOpen(path:reason:)`` if the folder can't be made, or the name
    ///   is empty.
    public static func defaultURL(suite: String) throws(StoreError) -> URL {
      do throws(StorageError) {
        return try FileStorage(suite: suite).folder.appendingPathComponent("store.sqlite")
      } catch {
        throw .cannotOpen(path: suite, reason: "\(error)")
      }
    }

    /// The settings of a store.
    public struct Options: Sendable {
      /// The guarantee that a save gives when it has returned.
      public enum Durability: Sendable, Hashable {
        /// It survives the end of the process, however that ends.
        case process

        /// It survives the loss of power as well: each save waits for the disk.
        case power
      }

      /// The other writers of the file.
      public enum Sharing: Sendable, Hashable {
        /// None, or programs that don't use this library: what they write is found by
        /// ``StoreSession/refresh()``, which compares all rows then.
        case onlyThisProcess

        /// Other processes that use this library.
        ///
        /// What they save is merged before each save, so that nothing is overwritten unseen, and
        /// looked for in this interval. The file gets the table `ecs_change`, in which saves say
        /// what they have changed; from then on all stores of the file keep it. Beside the file
        /// there is one more, with `-turn` behind its name, which is locked by the process that
        /// saves: a save waits for others for the ``busyTimeout`` at most.
        ///
        /// What a program writes that does not use this library is found as well, by comparing all
        /// rows, whatever stores save before and after it: SQLite counts what is committed, and
        /// stores say of what they commit; where SQLite does not say it, all rows are compared each
        /// time that another process has written. The program need not say anything; it can, in the
        /// same transaction, by `INSERT INTO ecs_change DEFAULT VALUES`.
        case processes(checkingEvery: Duration)
      }

      /// The guarantee that a save gives when it has returned.
      public var durability = Durability.process

      /// The other writers of the file.
      public var sharing = Sharing.onlyThisProcess

      /// How long opening and saving wait for another process that writes.
      public var busyTimeout: Duration = .seconds(5)

      /// Whether a copy of the file is kept while it is migrated.
      public var backsUpBeforeMigration = true

      /// Whether the file is only read.
      public var isReadOnly = false

      /// The usual options.
      public init() {}
    }
  }
#endif
