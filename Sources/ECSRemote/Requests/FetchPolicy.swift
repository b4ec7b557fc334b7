extension Remote {
  /// Whether data that is there already counts.
  public enum FetchPolicy: Sendable, Hashable {
    /// It does not. If the server has given a tag or a date, it is asked whether that still holds,
    /// so that it need not send all again; unless the entity was edited, or by another URL.
    case always

    /// It does, unless the entity is ``RemoteState/Stale``, or longer there than the resource's
    /// ``Resource/staleAfter``.
    case ifStale

    /// It does, if it was ever fetched or saved by this resource.
    case ifMissing
  }
}
