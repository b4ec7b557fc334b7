public import ECSRecipes

/// A way to ask a server for a part of a list.
public enum Paging: Sendable, Hashable {
  /// It is not: a list is one page.
  case none

  /// By the number of a page, as `?page=2&limit=20`; the last one is not full.
  case pages(number: String = "page", size: String = "limit", first: Int = 1)

  /// By the number of entities before, as `?_start=20&_limit=20`; the last page is not full.
  case offset(start: String = "_start", size: String = "_limit")

  /// By a token that stands in the answer with the page before; there is none in the last one.
  case cursor(parameter: String, at: JSONPath, size: String? = nil)

  /// By the URL in the field `Link` of the page before, as `<…>; rel="next"`; there is none with
  /// the last one. It has to be on the same server.
  case linkHeader(size: String? = nil)
}
