extension ChangeSource {
  /// Notifies the observers of the source as a whole, although no component changed.
  ///
  /// For changes to what components refer to, which are not seen: an image that has been loaded, a
  /// formatter that now uses another language. Observers run once when the outermost change ends,
  /// as after any other change of the source. Nothing is collected, and observers of single changes
  /// are not called: to reach them, set the component again.
  ///
  /// The observers of a ``LiveView`` get differences, so they are not notified.
  ///
  /// ```swift
  /// images.onLoad { url in article.notify() }
  /// ```
  ///
  /// - Complexity: O(1), plus the calls of the observers.
  public func notify() {
    let signal = changeSignal
    signal.core.section { signal.list?.mark() }
  }
}
