import ECS

extension Context {
  /// Joins the files that were moved with what they are now: one entity, several names.
  ///
  /// A path at which there is a file now stays a file of its own.
  func joinMovedFiles(present: Set<RawText>) {
    perform {
      Array(group(MovedAway.matcher)).withEach { (former, key: FileKey) in
        guard !present.contains(key.path), let file = former.presentFile(present) else { return }
        if let tally = former.get(Tally.self) { file.add(tally) }
        let earlier = former.get(FormerPaths.self) ?? FormerPaths()
        file.update(default: FormerPaths()) { $0.all += [key.id] + earlier.all }
        // Those that were moved to this path are moved on.
        for author in former.targets(ChangedBy.self) { file.relate(ChangedBy.self, to: author) }
        for earliest in former.sources(MovedTo.self) { earliest.relate(MovedTo.self, to: file) }
        former.destroy()
      }
      Array(group(Matcher(all: [FileKey.cid, Tally.cid]))).withEach { (file, key: FileKey) in
        switch (present.contains(key.path), file.has(IsGone.cid)) {
        case (true, true): file.remove(IsGone.cid)
        case (false, false): file.set(IsGone())
        default: break
        }
      }
    }
  }
}

extension Entity {
  /// The file that is there now, at the end of all moves; nil if it was removed.
  fileprivate func presentFile(_ present: Set<RawText>) -> Entity? {
    var (file, seen) = (self, Set([self]))
    while let next = file.target(MovedTo.self), seen.insert(next).inserted {
      if let path = next.get(FileKey.self)?.path, present.contains(path) { return next }
      file = next
    }
    return nil
  }
}
