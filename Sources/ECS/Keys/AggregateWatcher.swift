/// A listener to what the values under keys of an aggregate come to, which is notified inside of
/// changes.
// Guarded by the lock of the core of the aggregate.
class AggregateWatcher<Key: Hashable>: StableListMember {
  var listIndex = 0

  /// A value under a key came, went, or was set anew.
  func resultChanged(of key: Key) {}

  /// The aggregate was filled anew.
  func allResultsChanged() {}
}
