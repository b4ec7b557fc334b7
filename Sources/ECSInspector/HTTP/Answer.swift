#if Inspector
  import Foundation
  import JSONValues

  /// An answer to a request.
  struct Answer: Sendable {
    enum Body: Sendable {
      case none
      case json(JSONValue)

      /// The page, under a nonce.
      case page(String)

      /// Lines with their ends, each made when it is asked for; nil behind the last.
      case lines(@Sendable () async -> Data?)
    }

    var status = 200
    var body: Body
    var headers: [String: String] = [:]

    static func json(_ value: JSONValue) -> Answer { Answer(body: .json(value)) }

    init(status: Int = 200, body: Body, headers: [String: String] = [:]) {
      (self.status, self.body, self.headers) = (status, body, headers)
    }

    init(_ failure: Failure) { self.init(status: failure.status, body: .json(failure.json)) }
  }

  extension Answer {
    /// What every answer has, whatever it says: nothing is kept, guessed, framed, or lent to other
    /// origins.
    static let commonHeaders = [
      "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    ]

    /// What a browser may load and run for the page.
    static func policy(nonce: String?) -> String {
      let own = nonce.map {
        "script-src 'nonce-\($0)'; style-src 'nonce-\($0)'; connect-src 'self'; img-src data:; "
      }
      return
        "default-src 'none'; \(own ?? "")base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
  }
#endif
