#if SQLite
  import ECS

  /// A field that is stored in its component as its column has it, by its place there.
  struct PlainField: Sendable {
    enum Kind: Sendable { case int, int64, double, string, bool }

    let kind: Kind
    let offset: Int

    /// Where a field is stored; nil if it has a form of its own in its column, or is not stored.
    init?<C: Component>(_ field: RowField<C>) {
      guard field.isPlain else { return nil }
      let found: (kind: Kind, offset: Int?)? =
        switch field.access {
        case let access as FieldAccess<C, Int>: (.int, MemoryLayout<C>.offset(of: access.keyPath))
        case let access as FieldAccess<C, Int64>:
          (.int64, MemoryLayout<C>.offset(of: access.keyPath))
        case let access as FieldAccess<C, Double>:
          (.double, MemoryLayout<C>.offset(of: access.keyPath))
        case let access as FieldAccess<C, String>:
          (.string, MemoryLayout<C>.offset(of: access.keyPath))
        case let access as FieldAccess<C, Bool>: (.bool, MemoryLayout<C>.offset(of: access.keyPath))
        default: nil
        }
      guard let found, let offset = found.offset else { return nil }
      (kind, self.offset) = (found.kind, offset)
    }
  }

  /// The values of a component in rows, whatever it is: memory of which only the places of fields
  /// are known.
  // PERFORMANCE: K1, K3: code that is generic over the component looks its metadata up in each
  // step, and that takes longer than SQLite does for the row. INVARIANT: Each row up to `count` is
  // an initialized component in `base`, and `present` says whether it means anything. So many rows
  // as `spare` behind these are initialized as well, with the template. The subclass alone makes
  // and removes rows.
  @safe
  class RawRows {
    /// By the order of the columns; nil for fields that the component's own code reads and writes.
    final let fields: [PlainField?]
    final let stride: Int

    @safe @exclusivity(unchecked) fileprivate(set) final var base: UnsafeMutableRawPointer
    @safe @exclusivity(unchecked) fileprivate(set) final var present: UnsafeMutablePointer<Bool>
    @safe @exclusivity(unchecked) fileprivate(set) final var count = 0
    @safe @exclusivity(unchecked) fileprivate(set) final var capacity = 0

    /// How many rows are initialized that are not used yet.
    @safe @exclusivity(unchecked) fileprivate final var spare = 0

    /// How many rows have the component.
    @safe @exclusivity(unchecked) fileprivate(set) final var presentCount = 0

    fileprivate init(_ fields: [PlainField?], stride: Int, alignment: Int) {
      (self.fields, self.stride) = (fields, stride)
      base = UnsafeMutableRawPointer.allocate(byteCount: 0, alignment: alignment)
      present = UnsafeMutablePointer.allocate(capacity: 0)
    }

    private final func address(_ row: Int, _ field: PlainField) -> UnsafeMutableRawPointer {
      assert(row >= 0 && row < count)
      // SAFETY: the row is one of those that there are, and the field is within it.
      return unsafe base + (row * stride + field.offset)
    }

    final func isPresent(_ row: Int) -> Bool {
      require(row >= 0 && row < count, "Row \(row) was asked of \(count) rows.")
      // SAFETY: checked above.
      return present[row]
    }

    final func setPresent(_ isPresent: Bool, _ row: Int) {
      guard self.isPresent(row) != isPresent else { return }
      // SAFETY: checked by the line above.
      present[row] = isPresent
      presentCount += isPresent ? 1 : -1
    }

    // PERFORMANCE: K3: many at once.
    /// Makes spare rows; the subclass decides of what.
    fileprivate func makeSpare() {}

    /// Adds a row with the template.
    final func appendTemplate(isPresent: Bool) {
      if spare == 0 { makeSpare() }
      require(spare > 0, "Rows were added to those of no component.")
      // SAFETY: the spare row has a flag as well.
      unsafe (present + count).initialize(to: isPresent)
      (count, spare) = (count + 1, spare - 1)
      if isPresent { presentCount += 1 }
    }

    // MARK: Plain fields

    /// Binds plain fields, from a number on; returns the number of the first that is to be bound
    /// otherwise.
    final func bind(
      _ row: Int, from first: Int, to statement: RowStatement, at base: Int32
    ) -> Int {
      var number = first
      while number < fields.count, let field = fields[number] {
        guard bind(field, of: row, to: statement, at: base + Int32(number)) else { return number }
        number += 1
      }
      return number
    }

    /// Binds a plain field; false if what it holds has no form in a column.
    @inline(__always)
    final func bind(
      _ field: PlainField, of row: Int, to statement: RowStatement, at column: Int32
    ) -> Bool {
      // SAFETY: the component has a value of this type there.
      let address = unsafe address(row, field)
      switch field.kind {
      case .int:
        statement.bind(Int64(unsafe address.assumingMemoryBound(to: Int.self).pointee), at: column)
      case .int64:
        statement.bind(unsafe address.assumingMemoryBound(to: Int64.self).pointee, at: column)
      case .double:
        let value = unsafe address.assumingMemoryBound(to: Double.self).pointee
        // SQLite would write NULL.
        if value.isNaN { return false }
        statement.bind(value, at: column)
      case .string:
        statement.bind(unsafe address.assumingMemoryBound(to: String.self).pointee, at: column)
      case .bool:
        let value = unsafe address.assumingMemoryBound(to: Bool.self).pointee
        statement.bind(value ? 1 : 0 as Int64, at: column)
      }
      return true
    }

    /// What a plain field holds, if that is an integer.
    final func integer(_ field: PlainField, _ row: Int) -> Int64? {
      // SAFETY: the component has a value of this type there.
      let address = unsafe address(row, field)
      return switch field.kind {
      case .int: Int64(unsafe address.assumingMemoryBound(to: Int.self).pointee)
      case .int64: unsafe address.assumingMemoryBound(to: Int64.self).pointee
      case .double, .string, .bool: nil
      }
    }

    /// Reads plain fields, from a number on; returns the number of the first that is to be read
    /// otherwise.
    final func read(
      _ statement: RowStatement, at base: Int32, from first: Int, into row: Int
    ) -> Int {
      var number = first
      while number < fields.count, let field = fields[number] {
        let column = base + Int32(number)
        // SAFETY: the component has a value of this type there.
        let address = unsafe address(row, field)
        switch (field.kind, statement.kind(at: column)) {
        case (.int, .integer):
          unsafe address.assumingMemoryBound(to: Int.self).pointee =
            Int(truncatingIfNeeded: statement.integer(at: column))
        case (.int64, .integer):
          unsafe address.assumingMemoryBound(to: Int64.self).pointee = statement.integer(at: column)
        case (.double, .real):
          unsafe address.assumingMemoryBound(to: Double.self).pointee = statement.real(at: column)
        case (.string, .text):
          guard let text = statement.text(at: column) else { return number }
          unsafe address.assumingMemoryBound(to: String.self).pointee = text
        case (.bool, .integer):
          let value = statement.integer(at: column)
          guard value == 0 || value == 1 else { return number }
          unsafe address.assumingMemoryBound(to: Bool.self).pointee = value == 1
        default: return number
        }
        number += 1
      }
      return number
    }

    /// Compares plain fields with the present row of a statement, from a number on; returns the
    /// number of the first that is another one, or is to be compared otherwise.
    final func countAlike(
      _ row: Int, from first: Int, in statement: RowStatement, at base: Int32
    ) -> Int {
      var number = first
      while number < fields.count, let field = fields[number] {
        let column = base + Int32(number)
        // SAFETY: the component has a value of this type there.
        let address = unsafe address(row, field)
        let isAlike =
          switch field.kind {
          case .int:
            statement.holds(
              Int64(unsafe address.assumingMemoryBound(to: Int.self).pointee), at: column)
          case .int64:
            statement.holds(unsafe address.assumingMemoryBound(to: Int64.self).pointee, at: column)
          case .double:
            statement.holds(unsafe address.assumingMemoryBound(to: Double.self).pointee, at: column)
          case .string:
            statement.holds(unsafe address.assumingMemoryBound(to: String.self).pointee, at: column)
          case .bool:
            statement.holds(
              unsafe address.assumingMemoryBound(to: Bool.self).pointee ? 1 : 0 as Int64, at: column
            )
          }
        guard isAlike else { return number }
        number += 1
      }
      return number
    }

    /// Whether a plain field is the same in two rows of the same component.
    final func areAlike(
      _ field: PlainField, _ row: Int, _ other: RawRows, _ otherRow: Int
    ) -> Bool {
      // SAFETY: both components have a value of this type there.
      let (left, right) = unsafe (address(row, field), other.address(otherRow, field))
      return switch field.kind {
      case .int:
        unsafe left.assumingMemoryBound(to: Int.self).pointee
          == right.assumingMemoryBound(to: Int.self).pointee
      case .int64:
        unsafe left.assumingMemoryBound(to: Int64.self).pointee
          == right.assumingMemoryBound(to: Int64.self).pointee
      case .double:
        unsafe left.assumingMemoryBound(to: Double.self).pointee
          == right.assumingMemoryBound(to: Double.self).pointee
      case .string:
        unsafe left.assumingMemoryBound(to: String.self).pointee
          .hasSameBytes(as: right.assumingMemoryBound(to: String.self).pointee)
      case .bool:
        unsafe left.assumingMemoryBound(to: Bool.self).pointee
          == right.assumingMemoryBound(to: Bool.self).pointee
      }
    }

    /// What a plain field is in its column; nil for what has no form there.
    final func value(_ field: PlainField, _ row: Int) -> RowValue? {
      // SAFETY: the component has a value of this type there.
      let address = unsafe address(row, field)
      switch field.kind {
      case .int: return .integer(Int64(unsafe address.assumingMemoryBound(to: Int.self).pointee))
      case .int64: return .integer(unsafe address.assumingMemoryBound(to: Int64.self).pointee)
      case .double:
        let value = unsafe address.assumingMemoryBound(to: Double.self).pointee
        return value.isNaN ? nil : .real(value)
      case .string: return .text(unsafe address.assumingMemoryBound(to: String.self).pointee)
      case .bool:
        return .integer(unsafe address.assumingMemoryBound(to: Bool.self).pointee ? 1 : 0)
      }
    }
  }

  /// The values of a component in rows.
  final class ComponentBuffer<C: Component>: RawRows {
    private let template: C

    init(_ fields: [RowField<C>], _ template: C) {
      self.template = template
      super.init(
        fields.map(PlainField.init), stride: MemoryLayout<C>.stride,
        alignment: MemoryLayout<C>.alignment)
    }

    deinit {
      // SAFETY: all rows are initialized, and there is no other pointer to the memory.
      unsafe values.deinitialize(count: count + spare)
      unsafe base.deallocate()
      unsafe present.deallocate()
    }

    /// The rows as what they are.
    private var values: UnsafeMutablePointer<C> {
      // SAFETY: the memory holds components alone.
      unsafe base.assumingMemoryBound(to: C.self)
    }

    subscript(row: Int) -> C {
      get {
        require(row >= 0 && row < count, "Row \(row) was asked of \(count) rows.")
        // SAFETY: checked above.
        return unsafe values[row]
      }
      set {
        require(row >= 0 && row < count, "Row \(row) was asked of \(count) rows.")
        // SAFETY: checked above.
        unsafe values[row] = newValue
      }
    }

    /// Makes room behind the last row.
    private func reserve(_ more: Int) {
      dropSpare()
      guard count + more > capacity else { return }
      let larger = max(count + more, capacity * 2, 8)
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: larger * stride, alignment: MemoryLayout<C>.alignment)
      let flags = UnsafeMutablePointer<Bool>.allocate(capacity: larger)
      // SAFETY: both have room for all rows, which are moved there, and out of what is freed.
      unsafe memory.assumingMemoryBound(to: C.self).moveInitialize(from: values, count: count)
      unsafe flags.moveInitialize(from: present, count: count)
      unsafe base.deallocate()
      unsafe present.deallocate()
      unsafe (base, present, capacity) = (memory, flags, larger)
    }

    fileprivate override func makeSpare() {
      let more = max(4, min(count, 1024))
      reserve(more)
      // SAFETY: there is room behind the last row.
      unsafe (values + count).initialize(repeating: template, count: more)
      spare = more
    }

    private func dropSpare() {
      guard spare > 0 else { return }
      // SAFETY: so many rows behind the last one are initialized.
      unsafe (values + count).deinitialize(count: spare)
      spare = 0
    }

    func append(_ value: C, isPresent: Bool) {
      reserve(1)
      // SAFETY: there is room behind the last row.
      unsafe (values + count).initialize(to: value)
      unsafe (present + count).initialize(to: isPresent)
      count += 1
      if isPresent { presentCount += 1 }
    }

    /// Adds rows that have the component.
    func append(contentsOf new: [C]) {
      reserve(new.count)
      unsafe new.withUnsafeBufferPointer { new in
        // SAFETY: there is room behind the last row; no address means that there are none.
        if let first = new.baseAddress {
          unsafe (values + count).initialize(from: first, count: new.count)
          unsafe (present + count).initialize(repeating: true, count: new.count)
        }
      }
      count += new.count
      presentCount += new.count
    }

    /// Adds rows of others: some of them, or a range of all.
    func append(_ rows: [Int]?, of other: ComponentBuffer) {
      guard let rows else {
        let added = other.count
        reserve(added)
        // SAFETY: there is room behind the last row, and so many rows there; also if both are the
        // same.
        unsafe (values + count).initialize(from: other.values, count: added)
        unsafe (present + count).initialize(from: other.present, count: added)
        (count, presentCount) = (count + added, presentCount + other.presentCount)
        return
      }
      reserve(rows.count)
      for row in rows { append(other[row], isPresent: other.isPresent(row)) }
    }

    /// Puts the last row in the place of a row.
    func swapRemove(_ row: Int) {
      if isPresent(row) { presentCount -= 1 }
      dropSpare()
      let last = count - 1
      // SAFETY: `isPresent` has checked the row; the last one is moved there, or was the row
      // itself.
      unsafe (values + row).deinitialize(count: 1)
      if row < last {
        unsafe (values + row).moveInitialize(from: values + last, count: 1)
        present[row] = present[last]
      }
      count = last
    }

    func removeAll() {
      dropSpare()
      // SAFETY: all rows are initialized.
      unsafe values.deinitialize(count: count)
      (count, presentCount) = (0, 0)
    }

    /// Fills a column of new entities with all rows.
    func copy(to columns: borrowing NewColumns) {
      // SAFETY: the rows stay where they are until this returns.
      let rows = unsafe UnsafeBufferPointer(start: values, count: count)
      unsafe columns.copy(rows.span)
    }
  }
#endif
