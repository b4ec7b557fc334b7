import ECS
import ECSHistory
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

@Suite(.longRunning, .noHangs) struct RunFileTests {
  private func sample(seed: UInt64, changes: Int) throws -> Data {
    var random = SplitMix64(seed: seed)
    let world = ReplayWorld()
    for _ in 0..<5 { world.change(&random) }
    let recorder = try RunRecorder(world.context, try ReplayWorld.schema())
    let loop = ReplayWorld.loop(world.context, logger: recorder)
    for _ in 0..<changes {
      world.change(&random)
      if random.oneIn(4) { loop.execute() }
    }
    return try recorder.recording().data
  }

  /// Reads data and replays it as far as that goes.
  private func error(_ data: Data, _ schema: Schema) -> ReplayError? {
    do throws(ReplayError) {
      let recording = try RunRecording(data)
      let context = Context()
      _ = context.primaryIndex { (text: ReplayWorld.Text) in text.text }
      let replay = try Replay(recording, into: context, schema)
      try replay.seek(to: .end)
      try replay.seek(to: .start)
      return nil
    } catch {
      return error
    }
  }

  @Test func `data that is something else, cut off or changed is an error`() throws {
    let data = try sample(seed: 1, changes: 30)
    func reason(_ data: Data) -> String {
      do throws(ReplayError) {
        _ = try RunRecording(data)
        return "none"
      } catch {
        return "\(error.reason)"
      }
    }
    expectTrue(reason(Data()) == "notARecording" && reason(Data("hello".utf8)) == "notARecording")
    expectTrue(reason(data) == "none" && reason(data + [0]) == "truncated")
    var later = data
    later[8] = 2
    expectEqual(reason(later), "laterFormat(2)")
    for count in 1..<data.count { expectEqual(reason(data.prefix(count)), "truncated") }
    var random = SplitMix64(seed: 2)
    for _ in 0..<Effort.full(20_000, debug: 1_000) {
      var damaged = data
      let place = 28 + random.below(data.count - 28)
      damaged[place] ^= UInt8(1 << random.below(8))
      expectEqual(reason(damaged), "damaged")
    }
  }

  @Test func `data that was made up is an error, or a recording`() throws {
    let schema = try ReplayWorld.schema()
    var random = SplitMix64(seed: 3)
    // Some inputs for each of some recordings.
    for round in 0..<Effort.inputs(orElse: Effort.full(20_000, debug: 2_000)) / 50 {
      let data = try sample(seed: UInt64(round), changes: 12)
      let body = data.dropFirst(RunRecording.headSize)
      for _ in 0..<50 {
        let changed = RunFileTests.damaged(Data(body), &random)
        _ = error(RunRecording.file(withBody: changed), schema)
      }
    }
  }

  private static func damaged(_ body: Data, _ random: inout SplitMix64) -> Data {
    var body = body
    for _ in 0...random.below(3) {
      // Mostly behind the snapshot, which has checksums of its own.
      let place = random.below(body.count)
      switch random.below(6) {
      case 0: body[place] ^= UInt8(1 << random.below(8))
      case 1: body[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: body[place] = [0, 1, 2, 255][random.below(4)]
      case 3:
        // A number, at any of the places where one may be.
        let numbers: [UInt32] = [.max, .max - 1, 0x8000_0000, 0x7fff_ffff, 0, 1, 3]
        let number = numbers[random.below(numbers.count)]
        for byte in 0..<4 where place + byte < body.count {
          body[place + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte))
        }
      case 4: body.removeSubrange(place..<min(body.count, place + 1 + random.below(8)))
      default:
        let from = random.below(body.count)
        body.insert(contentsOf: Data(body[from..<min(body.count, from + 30)]), at: place)
      }
      if body.isEmpty { return body }
    }
    if random.oneIn(8) { body.removeLast(random.below(body.count)) }
    return body
  }

  @Test func `a recording is read by a later program, and not by an earlier one`() throws {
    let data = try sample(seed: 4, changes: 40)
    let recording = try RunRecording(data)
    let context = Context()
    let replay = try Replay(recording, into: context, try ReplayWorld.schema())
    try replay.seek(to: .end)
    let missing = try Schema("world") {
      Links(ReplayWorld.In.self, as: "in")
    }
    #expect { try Replay(recording, into: Context(), missing) } throws: {
      guard case .snapshot(let error) = ($0 as? ReplayError)?.reason else { return false }
      return error.reason == .unknown
    }
  }
}
