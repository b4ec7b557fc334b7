#if canImport(SwiftUI)
  public import ECS
  public import SwiftUI

  /// A source of changes that a SwiftUI view shows: the view is updated when the source changes.
  ///
  /// ```swift
  /// struct ArticleRow: View {
  ///   @ObservedSource var article: Entity
  ///   var body: some View { Text(article.get(Title.self)?.text ?? "") }
  /// }
  /// ```
  @propertyWrapper
  public struct ObservedSource<Source: ChangeSource>: DynamicProperty {
    private let observed: Observed<Source>

    /// Shows a source.
    public init(wrappedValue: Source) {
      observed = Observed(wrappedValue)
    }

    /// The source, on which a body that reads it depends.
    public var wrappedValue: Source { observed.source }
  }
#endif
