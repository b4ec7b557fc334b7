import Foundation
import Testing

@Suite struct FlockTests {
  let flock: ExampleProgram

  init() throws {
    flock = try ExampleProgram("flock")
  }

  @Test func `A hundred thousand boids fly`() async throws {
    let result = try await flock.run(["--frames", "1"])
    #expect(result.status == 0)
    #expect(result.output.contains("100000 boids, 1 frames, "))
    #expect(result.output.contains(" frames per second"))
    #expect(result.errors.isEmpty)
  }

  @Test func `A seed gives the same flock every time and another seed another one`() async throws {
    var states: [Substring?] = []
    for seed in ["7", "7", "8"] {
      let result = try await flock.run(["--boids", "1500", "--frames", "6", "--seed", seed])
      states.append(result.output.split(separator: "\n").last)
    }
    #expect(states[0]?.hasPrefix("state ") == true)
    #expect(states[0] == states[1])
    #expect(states[0] != states[2])
  }

  @Test func `Boids come to fly as their neighbors do`() async throws {
    let output = try await flock.run(["--boids", "1000", "--frames", "80"]).output
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("alignment") })
    let numbers = line.split { !$0.isNumber && $0 != "." }.compactMap { Double($0) }
    #expect(numbers.count == 2 && numbers[0] > numbers[1] + 0.2, "\(line)")
  }

  @Test func `The last frame is plain text where there is no terminal`() async throws {
    let output = try await flock.run(["--boids", "1000", "--frames", "2"]).output
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 23 + 3 + 1)
    #expect(lines.prefix(23).allSatisfy { $0.count == 80 && $0.allSatisfy(\.isASCII) })
    #expect(!output.contains("\u{1B}"))
  }

  @Test func `Each frame becomes a picture`() async throws {
    let folder = try TemporaryFolder()
    let album = folder["new/album"]
    let result = try await flock.run([
      "--boids", "1000", "--frames", "3", "--ppm", album.path, "--size", "64x48",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: album.path).sorted()
    #expect(names == ["frame-00001.ppm", "frame-00002.ppm", "frame-00003.ppm"])
    let header = Data("P6\n64 48\n255\n".utf8)
    for name in names {
      let picture = try Data(contentsOf: album.appendingPathComponent(name))
      #expect(picture.starts(with: header))
      #expect(picture.count == header.count + 64 * 48 * 3)
      #expect(Set(picture.dropFirst(header.count)).count > 16)
    }
  }

  @Test func `A folder that cannot be written is an error`() async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder["file"])
    let result = try await flock.run([
      "--boids", "1000", "--frames", "1", "--ppm", folder["file/album"].path,
    ])
    #expect(result.status != 0)
    #expect(result.errors.hasPrefix("flock: can't write \(folder["file/album"].path): "))
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    (["--frames"], "--frames needs a value"),
    (["--frames", "none"], "--frames is 'none', but must be a number from 1 to 1000000"),
    (["--boids", "0"], "--boids is '0', but must be a number from 1 to 4000000"),
    (["--size", "9x9"], "--size is '9x9', but must be like 1280x720, from 16 to 8192 each"),
    (["--bird"], "there is no option '--bird'"),
  ]) func `Bad options are errors that say what is wrong`(
    arguments: [String], message: String
  ) async throws {
    let result = try await flock.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors == "flock: \(message); --help lists the options\n")
  }
}
