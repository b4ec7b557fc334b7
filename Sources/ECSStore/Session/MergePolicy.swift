#if SQLite
  public import ECSRecipes

  /// What happens to a field that was changed here and by somebody else.
  ///
  /// What both sides have changed to the same value is no conflict. So a counter that two sides count up by one
  /// each may miss one: let each side count in a row of its own, or keep a row for each event.
  ///
  /// It does not decide who has a key that was given on both sides, here by changing that of an entity which
  /// is in the file: that is ``StoreError/duplicateKey(table:key:)`` until the entity gets another
  /// key, or ``StoreSession/revert(_:)`` gives it its own again.
  public enum MergePolicy: Sendable {
    /// What is here stays, and is saved next.
    case localWins

    /// What was saved replaces it.
    case storeWins

    /// Merging and saving throw ``StoreError/conflicts(_:)`` and change nothing.
    case error

    /// A closure decides, field by field.
    ///
    /// It is called while the context and the store are locked. It must neither change the context nor wait for
    /// another thread that uses the store; calling a session or writing to the store stops with a message.
    case resolve(@Sendable (Conflict) -> Resolution)

    /// What a closure decides.
    public enum Resolution: Sendable {
      /// What is here stays.
      case local

      /// What was saved replaces it.
      case stored

      /// Both get another value: it is taken here, and saved next. For rows as a whole and for links, what is here
      /// stays.
      case value(JSONValue)
    }
  }
#endif
