/// The contents of an ordered index at a moment, for tools.
package struct OrderedContents {
  package let component: CID

  /// The name of the type of the keys.
  package let keyType: String

  /// The number of entities that have a key.
  package let entities: Int
  package let lowest: Any?
  package let highest: Any?
}

extension LiveViewSink {
  /// What tools see of an ordered index; nil if this is the order of something else.
  var orderedContents: OrderedContents? {
    guard !isReleased, let column = columns.first, column.keepsKeys,
      let component = definition.keys.first?.mentioned,
      let source = column.keys as? any OrderedContentsSource
    else { return nil }
    settle()
    return source.contents(of: component, self)
  }
}

private protocol OrderedContentsSource {
  func contents(of component: CID, _ sink: LiveViewSink) -> OrderedContents
}

extension SortKeys: OrderedContentsSource {
  fileprivate func contents(of component: CID, _ sink: LiveViewSink) -> OrderedContents {
    let keys = OrderedKeys(sink: sink, keys: self)
    let mode = keys.beginComparing()
    defer { keys.endComparing(mode) }
    let count = keys.count
    return OrderedContents(
      component: component, keyType: String(describing: Key.self), entities: count,
      lowest: count > 0 ? keys.key(at: 0) : nil, highest: count > 0 ? keys.key(at: count - 1) : nil)
  }
}
