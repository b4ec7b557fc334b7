import ECSRemote
import ECSTestSupport
import Foundation
import Testing

@Suite(.optimizedOrSanitized, .noHangs) struct SocketRaceTests {
  @Test func `Requests from many tasks, some of them cancelled, each have their own end`()
    async throws
  {
    let transport = SocketTransport()
    let server = try FaultyServer { request, peer in peer.answer(200, request.target) }
    let count = 200
    let ends = await withTaskGroup(of: Int.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var ends = 0
          for number in 0..<count {
            let path = "/\(worker)/\(number)"
            let task = Task { try await transport.send(HTTPRequest(.get, server.url(path))) }
            if number % 3 == worker % 3 { task.cancel() }
            switch await task.result {
            case .success(let response): expectEqual(response.body, Data(path.utf8))
            case .failure(let error): expectEqual(error as? TransportError, .cancelled)
            }
            ends += 1
          }
          return ends
        }
      }
      return await group.reduce(0, +)
    }
    expectEqual(ends, 8 * count)
  }
}
