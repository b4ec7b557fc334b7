/// A part of a report that can be asked for.
enum Section: String, CaseIterable {
  case activity, hours, authors, files, directories, pairs, commits
}
