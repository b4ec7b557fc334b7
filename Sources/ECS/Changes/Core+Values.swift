// The typed paths. They are inlinable because they are what programs spend their time in: across
// modules, unspecialized generic code is many times slower. What does not depend on the type is
// in functions that are not inlinable.
extension Core {
  /// The place of a living entity's component; nil if it is dead or does not have it.
  @inlinable
  @inline(__always)
  func place<C: Component>(of type: C.Type, _ handle: Handle) -> UnsafeMutablePointer<C>? {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(ComponentKey(type)),
      let column = unsafe edge.pointee.column
    else { return nil }
    // SAFETY: the edge's key says that the column holds values of this very type, and the
    // record's row is below the table's count.
    return unsafe column.assumingMemoryBound(to: type) + Int(record.pointee.row)
  }

  @inlinable
  @inline(__always)
  func value<C: Component>(of type: C.Type, _ handle: Handle) -> C? {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      return commands.value(of: type, handle)
    }
    guard let edge = unsafe table.pointee.edge(ComponentKey(type)),
      let column = unsafe edge.pointee.column
    else { return nil }
    // SAFETY: as in `place(of:_:)`.
    let place = unsafe column.assumingMemoryBound(to: type) + Int(record.pointee.row)
    if !_isPOD(type) && pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe exclusivity.checkRead(type, place)
    }
    return unsafe place.pointee
  }

  /// The value of a component that the entity should have.
  ///
  /// PERFORMANCE: optionals of types that are known at run time only, as those of parameter packs
  /// may be, have to be looked up each time.
  @inlinable
  @inline(__always)
  func existingValue<C: Component>(_ handle: Handle) throws(MissingComponent) -> C {
    guard let place = unsafe place(of: C.self, handle) else {
      guard let value = value(of: C.self, handle) else { throw MissingComponent() }
      return value
    }
    if !_isPOD(C.self) && pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe exclusivity.checkRead(C.self, place)
    }
    // SAFETY: as in `place(of:_:)`.
    return unsafe place.pointee
  }

  @inlinable
  @inline(__always)
  func has(_ key: ComponentKey, _ handle: Handle) -> Bool {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      return commands.has(key, handle)
    }
    guard let edge = unsafe table.pointee.edge(key) else { return false }
    return unsafe edge.pointee.column != nil
  }

  /// Adds or replaces a component, in any way that is needed.
  ///
  /// Returns what it replaced, which the caller keeps until the change has ended, because ending
  /// it may run user code.
  @inlinable
  func write<C: Component>(_ value: C, to handle: Handle) -> C? {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      noteStaleWrite(handle)
      return nil
    }
    guard let edge = unsafe table.pointee.edge(ComponentKey(C.self)),
      let column = unsafe edge.pointee.column
    else {
      insert(value, to: handle)
      return nil
    }
    // SAFETY: as in `place(of:_:)`.
    let place = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
    return unsafe replaceReacting(value, at: place, of: handle, table, edge)
  }

  @inlinable
  @inline(__always)
  func replace<C: Component>(_ value: C, at place: UnsafeMutablePointer<C>) -> C? {
    // SAFETY: the place is initialized before and after.
    if _isPOD(C.self) {
      unsafe place.pointee = value
      return nil
    }
    let old = unsafe place.move()
    unsafe place.initialize(to: value)
    return old
  }

  @inlinable
  func insert<C: Component>(_ value: C, to handle: Handle) {
    let cid = ComponentRegistry.cid(of: C.self)
    guard let addition = add(handle, cid) else { return }
    // SAFETY: the place was made for a value of this type and is uninitialized.
    unsafe addition.place.initializeMemory(as: C.self, to: value)
    if addition.needsFinish { finish(handle, addition, cid) }
  }

  @inlinable
  func replaceReacting<C: Component>(
    _ value: C, at place: UnsafeMutablePointer<C>, of handle: Handle, _ table: TablePointer,
    _ edge: UnsafeMutablePointer<Edge>
  ) -> C? {
    if unsafe !edge.pointee.isReplaceListed { unsafe reactionLists.refreshReplace(table, edge) }
    if pointer.pointee.taken.count > 0 {
      return unsafe replaceTaken(value, at: place, of: handle, edge)
    }
    if isNoting, let places = unsafe recorder.notePlainReplacement(handle, edge) {
      // SAFETY: the places were set aside for values of this type; that of the new one for
      // journals.
      unsafe places.old.initializeMemory(as: C.self, to: place.pointee)
      if isJournaling { unsafe places.new.initializeMemory(as: C.self, to: value) }
    }
    if let places = unsafe notifications.queueReplacement(handle, edge, hasOld: true) {
      // SAFETY: the places were set aside for values of this type.
      unsafe places.old.initializeMemory(as: C.self, to: place.pointee)
      unsafe places.new.initializeMemory(as: C.self, to: value)
    }
    let displaced = unsafe replace(value, at: place)
    unsafe finishReplace(handle, edge.pointee.replace)
    return displaced
  }

  /// Replaces a value while closures have some, maybe this one.
  @inlinable
  @inline(never)
  func replaceTaken<C: Component>(
    _ value: C, at place: UnsafeMutablePointer<C>, of handle: Handle,
    _ edge: UnsafeMutablePointer<Edge>
  ) -> C? {
    if isNoting { unsafe recorder.noteReplacement(handle, edge, place) }
    if exclusivity.noteInitialized(ComponentKey(C.self), of: handle) {
      unsafe fill(place, with: value, of: handle, edge)
      return nil
    }
    if let places = unsafe notifications.queueReplacement(handle, edge, hasOld: true) {
      // SAFETY: the places were set aside for values of this type.
      unsafe places.old.initializeMemory(as: C.self, to: place.pointee)
      unsafe places.new.initializeMemory(as: C.self, to: value)
    }
    let displaced = unsafe replace(value, at: place)
    if isJournaling { unsafe recorder.noteReplaced(edge, place) }
    unsafe finishReplace(handle, edge.pointee.replace)
    return displaced
  }

  /// Puts a value where there is none, because a closure has it, and carries out the reactions.
  @inlinable
  func fill<C: Component>(
    _ place: UnsafeMutablePointer<C>, with value: C, of handle: Handle,
    _ edge: UnsafeMutablePointer<Edge>
  ) {
    // SAFETY: the place is uninitialized until now.
    unsafe place.initialize(to: value)
    if isJournaling { unsafe recorder.noteReplaced(edge, place) }
    if let places = unsafe notifications.queueReplacement(handle, edge, hasOld: false) {
      // SAFETY: the place was set aside for a value of this type.
      unsafe places.new.initializeMemory(as: C.self, to: value)
    }
    unsafe finishReplace(handle, edge.pointee.replace)
  }

  /// Lets a closure change a component that is not trivial.
  ///
  /// The value is moved out of its place, so that nothing else has what it holds, unless something
  /// may want the value before. Nil if there is no such component.
  ///
  /// `ended` is for a value that is not stored any more, or that never was: the caller, which opens
  /// the section, keeps it until that is closed, because ending it may run user code.
  @inlinable
  func update<C: Component, Result, Failure: Error>(
    _ type: C.Type, of handle: Handle, ending ended: inout C?,
    _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if _isPOD(type) { return try updateCopy(type, of: handle, ending: &ended, body) }
    guard let place = unsafe place(of: type, handle), pointer.pointee.section.mode.accepts else {
      return try updateCopy(type, of: handle, ending: &ended, body)
    }
    if pointer.pointee.iterations.exclusiveColumns > 0 { unsafe exclusivity.checkRead(type, place) }
    guard exclusivity.beginTaking(C.cid, of: handle, mayThrow: Failure.self != Never.self) else {
      return try updateCopy(type, of: handle, ending: &ended, body)
    }
    // SAFETY: the place is noted as uninitialized; it is filled by the code that sets the component
    // meanwhile, or below. A closure that cannot throw always comes back here.
    var value = unsafe place.move()
    let result = try callUser { () throws(Failure) in try body(&value) }
    if exclusivity.endTaking() {
      finishUpdate(value, of: handle)
    } else {
      ended = replaceIfPresent(value, on: handle)
    }
    return result
  }

  /// Replaces a component unless it is gone by now.
  ///
  /// Returns the value that is not stored: the one that was replaced, or the new one.
  @inlinable
  func replaceIfPresent<C: Component>(_ value: C, on handle: Handle) -> C? {
    has(ComponentKey(C.self), handle) ? exchange(value, on: handle) : value
  }

  @inlinable
  func finishUpdate<C: Component>(_ value: C, of handle: Handle) {
    // The row may have moved.
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(ComponentKey(C.self)),
      let column = unsafe edge.pointee.column
    else { return }
    if unsafe !edge.pointee.isReplaceListed { unsafe reactionLists.refreshReplace(table, edge) }
    // SAFETY: as in `place(of:_:)`.
    let place = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
    // Journals that began inside of the closure don't have what there was before.
    if isNoting { unsafe recorder.noteReplacement(handle, edge, nil) }
    unsafe fill(place, with: value, of: handle, edge)
  }

  /// Lets a closure change a copy of a component, which takes its place afterwards.
  @inlinable
  func updateCopy<C: Component, Result, Failure: Error>(
    _ type: C.Type, of handle: Handle, ending ended: inout C?,
    _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard var value = value(of: type, handle) else {
      if !isSeenAlive(handle) { noteStaleWrite(handle) }
      return nil
    }
    if _isPOD(type) {
      let result = try callUser { () throws(Failure) in try body(&value) }
      if has(ComponentKey(type), handle) { set(value, on: handle) }
      return result
    }
    exclusivity.beginChangingCopy(C.cid, of: handle)
    do throws(Failure) {
      let result = try callUser { () throws(Failure) in try body(&value) }
      _ = exclusivity.endTaking()
      ended = replaceIfPresent(value, on: handle)
      return result
    } catch {
      _ = exclusivity.endTaking()
      ended = value
      throw error
    }
  }

  @inlinable
  @inline(__always)
  func finishReplace(_ handle: Handle, _ reactions: ReactionListPointer?) {
    if let reactions = unsafe reactions, unsafe reactions.pointee.count > 0 {
      if isRecording {
        unsafe recorder.react(reactions, handle)
      } else {
        unsafe finishFastPath(reactions, handle)
      }
    }
  }
}

@usableFromInline
struct MissingComponent: Error {
  @usableFromInline
  init() {}
}
