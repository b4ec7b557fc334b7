#if Inspector
  import CInspectorPage
  import Foundation

  /// The page that browsers show: one file.
  enum Page {
    /// The file; `NONCE` stands where the nonce of an answer belongs.
    static let text: String = {
      let bytes = (0..<inspector_page_size()).map { inspector_page_byte($0) }
      return String(decoding: bytes, as: UTF8.self)
    }()

    static func data(nonce: String) -> Data {
      Data(text.replacing("NONCE", with: nonce).utf8)
    }
  }
#endif
