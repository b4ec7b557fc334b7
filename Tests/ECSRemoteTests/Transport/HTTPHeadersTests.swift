import ECSRemote
import Testing

@Suite struct HTTPHeadersTests {
  @Test func `Names are compared without case, whatever their letters are`() {
    var headers: HTTPHeaders = ["Link": "a", "\u{C9}tag": "1", "lin\u{212A}": "b", "[x": "c"]
    #expect(headers["LINK"] == "a, b")
    #expect(headers.values(of: "lin\u{212A}") == ["a", "b"])
    #expect(headers["\u{E9}TAG"] == "1")
    #expect(headers["e\u{301}tag"] == "1")
    #expect(["{x", "[X", "Lin", "Links"].map { headers[$0] } == [nil, "c", nil, nil])
    headers["link"] = "d"
    #expect(headers.fields.map(\.name) == ["link", "\u{C9}tag", "[x"])
    headers["Etag"] = "2"
    headers["[X"] = nil
    #expect(headers.fields.map(\.value) == ["d", "1", "2"])
    #expect(headers == ["LINK": "d", "\u{E9}tag": "1", "etag": "2"])
  }
}
