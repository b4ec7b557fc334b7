extension ChangeSource {
  /// Tells the observers of the source as a whole that it changed, although no component did.
  ///
  /// For what components refer to and nobody sees change: an image that has been loaded, a formatter
  /// that now uses another language. They run when the outermost change ends, once, as after any other
  /// change of the source. Nothing is collected, and observers of single changes hear nothing: set the
  /// component again where they should.
  ///
  /// The observers of a ``LiveView`` are told differences, so there is nothing to tell them.
  ///
  /// ```swift
  /// images.onLoad { url in article.notify() }
  /// ```
  ///
  /// - Complexity: O(1), and the calls of the observers.
  public func notify() {
    let signal = changeSignal
    signal.core.section { signal.list?.mark() }
  }
}
