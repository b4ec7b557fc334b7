import Foundation
import JSONValues

/// The values of a field in a row group, to be written as JSON one by one.
struct TextColumn {
  private let scalar: FieldType.Scalar

  /// Where the first value is, or that part of all values that always takes the same bytes, and how
  /// far it is from one to the next.
  private let base: Int
  private let stride: Int

  /// The index of each value among those that are there; `absent` for others.
  ///
  /// Nil if all are there.
  private let indices: [UInt32]?

  /// Where the elements of each list begin, and where the last ones end.
  ///
  /// Nil if there are no lists.
  private let lists: [UInt32]?

  /// Where each text begins, and where the last one ends.
  ///
  /// Nil if all values take the same bytes.
  private let texts: [Int]?

  private static let absent = UInt32.max

  /// Finds the values of a block, which was checked.
  ///
  /// If they lie in rows with those of other fields, `row` says how long a row is, and where in it
  /// the value is.
  init(
    _ type: FieldType, _ block: Range<Int>, rows: Int, row: (stride: Int, offset: Int)?,
    _ bytes: RawSpan
  ) {
    scalar = type.scalar
    if let row {
      (base, stride) = (block.lowerBound + row.offset, row.stride)
      (indices, lists, texts) = (nil, nil, nil)
      return
    }
    var (offset, count) = (block.lowerBound, rows)
    var indices: [UInt32]?
    if type.isOptional {
      var present: UInt32 = 0
      var all: [UInt32] = []
      all.reserveCapacity(count)
      for index in 0..<count {
        let isThere = bytes.load(UInt8.self, at: offset + index) == 1
        all.append(isThere ? present : TextColumn.absent)
        if isThere { present += 1 }
      }
      (indices, offset, count) = (all, offset + count, Int(present))
    }
    var lists: [UInt32]?
    if type.isList {
      var end: UInt32 = 0
      var all: [UInt32] = [0]
      all.reserveCapacity(count + 1)
      for position in 0..<count {
        end += bytes.load(UInt32.self, at: offset + position * 4)
        all.append(end)
      }
      (lists, offset, count) = (all, offset + count * 4, Int(end))
    }
    (self.indices, self.lists, base) = (indices, lists, offset)
    switch scalar {
    case .string, .data, .json:
      var end = offset + count * 4
      var all = [end]
      all.reserveCapacity(count + 1)
      for number in 0..<count {
        end += Int(bytes.load(UInt32.self, at: offset + number * 4))
        all.append(end)
      }
      (texts, stride) = (all, 4)
    case .entity: (texts, stride) = (nil, 4)
    default: (texts, stride) = (nil, FieldType(scalar).width ?? 0)
    }
  }

  func append(
    _ row: Int, _ bytes: RawSpan, _ names: EntityTexts, to output: inout TextOutput
  ) {
    var index = row
    if let indices {
      if indices[row] == TextColumn.absent { return output.append(TextColumn.null) }
      index = Int(indices[row])
    }
    guard let lists else { return appendScalar(index, bytes, names, to: &output) }
    output.append(UInt8(ascii: "["))
    var isFirst = true
    for element in Int(lists[index])..<Int(lists[index + 1]) {
      if scalar == .entity, bytes.load(UInt32.self, at: base + element * stride) == .max {
        continue
      }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      appendScalar(element, bytes, names, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static let null = Array("null".utf8)

  private func appendScalar(
    _ index: Int, _ bytes: RawSpan, _ names: EntityTexts, to output: inout TextOutput
  ) {
    let offset = base &+ index &* stride
    switch scalar {
    case .int8: output.append(number: bytes.load(Int8.self, at: offset))
    case .int16: output.append(number: bytes.load(Int16.self, at: offset))
    case .int32: output.append(number: bytes.load(Int32.self, at: offset))
    case .int64: output.append(number: bytes.load(Int64.self, at: offset))
    case .uint8: output.append(number: bytes.load(UInt8.self, at: offset))
    case .uint16: output.append(number: bytes.load(UInt16.self, at: offset))
    case .uint32: output.append(number: bytes.load(UInt32.self, at: offset))
    case .uint64: output.append(number: bytes.load(UInt64.self, at: offset))
    case .float:
      output.append(floating: Float(bitPattern: bytes.load(UInt32.self, at: offset)))
    case .double, .date:
      output.append(floating: Double(bitPattern: bytes.load(UInt64.self, at: offset)))
    case .bool:
      output.append(
        bytes.load(UInt8.self, at: offset) == 1 ? Array("true".utf8) : Array("false".utf8))
    case .uuid:
      let id = UUID(bits: bytes.load(UInt128.self, at: offset))
      output.appendQuoted(id?.uuidString ?? "")
    case .entity:
      let position = bytes.load(UInt32.self, at: offset)
      if position == .max {
        output.append(TextColumn.null)
      } else {
        names.append(Int(position), to: &output)
      }
    case .string: output.appendQuoted(bytes.extracting(text(index)))
    case .data:
      var data = Data()
      data.append(bytes.extracting(text(index)))
      output.appendQuoted(data.base64EncodedString())
    case .json: appendJSON(bytes.extracting(text(index)), to: &output)
    }
  }

  private func text(_ index: Int) -> Range<Int> {
    guard let texts else { return 0..<0 }
    return texts[index]..<texts[index + 1]
  }

  /// Appends JSON that was parsed before, in one line.
  private func appendJSON(_ text: RawSpan, to output: inout TextOutput) {
    var isLine = true
    for offset in 0..<text.byteCount where text.load(UInt8.self, at: offset) < 0x20 {
      isLine = false
    }
    if isLine { return output.append(text) }
    let value = text.text(in: 0..<text.byteCount).flatMap { try? JSONValue(json: $0) }
    output.append((value ?? .null).json())
  }
}

extension EntityTexts {
  func append(_ position: Int, to output: inout TextOutput) {
    if let key = keys?[position] { return output.appendQuoted(key) }
    output.append(UInt8(ascii: "\""))
    output.append(UInt8(ascii: "#"))
    output.append(number: position)
    output.append(UInt8(ascii: "\""))
  }
}
