#if SQLite
  import Dispatch

  /// Looks in an interval whether other processes have written the file of a store.
  // The timer is only cancelled, which any thread may do.
  final class FileWatch: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ store: Store, every interval: Duration) {
      let queue = DispatchQueue(label: "ECSStore.FileWatch", qos: .utility)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      let seconds = max(interval / .seconds(1), 0.001)
      timer.schedule(
        deadline: .now() + seconds, repeating: seconds,
        leeway: .milliseconds(Int(min(seconds * 100, 1000))))
      timer.setEventHandler { [weak store] in store?.lookForChanges() }
      timer.resume()
      self.timer = timer
    }

    func cancel() { timer.cancel() }

    deinit { timer.cancel() }
  }

  extension Store {
    /// Begins to look for what other processes write, when there is a session.
    ///
    /// The hub is locked.
    func watchFile() {
      guard isShared, hub.watch == nil, case .processes(let interval) = options.sharing else {
        return
      }
      hub.watch = FileWatch(self, every: interval)
    }
  }
#endif
