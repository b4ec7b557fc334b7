#if SQLite
  public import ECS

  extension Store {
    /// A rule for rows that can't be read.
    public enum UnreadableRows: Sendable, Hashable {
      /// Loading throws the first one.
      ///
      /// If one is written later, everything else is merged all the same, and the row stays here as
      /// it was known. Until it is readable again, ``StoreSession/refresh()`` and requests of rows
      /// throw it, and so does ``StoreSession/save()`` if it has something to write to its table.
      case refuse

      /// They are reported, stay in the file, and no new row gets their keys.
      case skipAndReport
    }

    /// Attaches a context: loads all rows into it, and keeps track of what changes from here on.
    ///
    /// - Parameters:
    ///   - context: The context. Entities that it has already are taken to be new; if one has a key
    ///     of the file, this throws and nothing has changed.
    ///   - merging: When what others save comes into the context.
    ///   - policy: What happens to fields that were changed on both sides.
    ///   - unreadable: A rule for rows that can't be read.
    /// - Returns: The session, to be kept.
    /// - Precondition: Not called in a section of the context.
    /// - Throws: ``StoreError``; ``StoreError/schemaMismatch(table:detail:)`` if a table nests
    ///   through a field that holds an entity, or through closures, of whose changes a session
    ///   would not hear: link by a relation.
    /// - Complexity: O(*n*), where *n* is the number of rows and links.
    public func session(
      on context: Context = Context(), merging: StoreSession.Merging = .automatic,
      policy: MergePolicy = .localWins, unreadable: UnreadableRows = .refuse
    ) throws(StoreError) -> StoreSession {
      try hub.working { () throws(StoreError) in
        let session = try StoreSession(
          self, on: context, merging: merging, policy: policy, unreadable: unreadable)
        session.checkIsFree("session(on:merging:policy:unreadable:)")
        try session.load()
        watchFile()
        return session
      }
    }
  }
#endif
