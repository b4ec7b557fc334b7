import ECSRemote
import ECSTestSupport
import Testing

@Suite struct HTTPHeadersTests {
  @Test func `Names are compared without case, whatever their letters are`() {
    var headers: HTTPHeaders = ["Link": "a", "\u{C9}tag": "1", "lin\u{212A}": "b", "[x": "c"]
    expectEqual(headers["LINK"], "a, b")
    expectEqual(headers.values(of: "lin\u{212A}"), ["a", "b"])
    expectEqual(headers["\u{E9}TAG"], "1")
    expectEqual(headers["e\u{301}tag"], "1")
    expectEqual(["{x", "[X", "Lin", "Links"].map { headers[$0] }, [nil, "c", nil, nil])
    headers["link"] = "d"
    expectEqual(headers.fields.map(\.name), ["link", "\u{C9}tag", "[x"])
    headers["Etag"] = "2"
    headers["[X"] = nil
    expectEqual(headers.fields.map(\.value), ["d", "1", "2"])
    expectEqual(headers, ["LINK": "d", "\u{E9}tag": "1", "etag": "2"])
  }
}
