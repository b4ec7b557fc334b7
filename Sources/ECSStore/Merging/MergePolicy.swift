#if SQLite
  public import ECSRecipes

  /// A rule for fields that were changed here and elsewhere.
  ///
  /// What both sides have changed to the same value is no conflict. So a counter that two sides
  /// count up by one each may miss one: let each side count in a row of its own, or keep a row for
  /// each event.
  ///
  /// It does not decide which entity has a key that was given on both sides, here to a new entity
  /// or by changing that of one which is in the file: that of the row which was saved first, unless
  /// a new entity has the same values. Saving the one here is
  /// ``StoreError/duplicateKey(table:key:)`` until it gets another key, is destroyed, or is put
  /// back by ``StoreSession/revert(_:)``; then the row comes with the next merge.
  public enum MergePolicy: Sendable {
    /// What is here stays, and is saved next.
    case localWins

    /// What was saved replaces it.
    case storeWins

    /// Merging and saving throw ``StoreError/conflicts(_:)`` and change nothing.
    case error

    /// A closure decides, field by field.
    ///
    /// It is called while the context and the store are locked. It must neither change the context
    /// nor wait for another thread that uses the store; calling a session or writing to the store
    /// stops with a message.
    case resolve(@Sendable (Conflict) -> Resolution)

    /// The decision of a closure.
    public enum Resolution: Sendable {
      /// What is here stays.
      case local

      /// What was saved replaces it.
      case stored

      /// Both get another value: it is taken here, and saved next. For rows as a whole and for
      /// links, what is here stays.
      case value(JSONValue)
    }
  }
#endif
