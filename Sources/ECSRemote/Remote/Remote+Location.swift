import ECS
import ECSRecipes
import Foundation

// Some servers answer a `POST` only with where they have put what was made.
extension Remote {
  // The data of an answer, with the key that `Location` tells if the data has none; nil if the
  // answer says nothing.
  func withKey(
    _ data: JSONValue?, from answer: RemoteAnswer, _ resource: Resource
  ) -> JSONValue? {
    guard let keyPath = resource.key?.path, data?[keyPath] ?? .null == .null,
      let key = keyInLocation(of: answer, resource)
    else { return data }
    let wrapped = key.wrapped(at: keyPath)
    return data?.applying(wrapped) ?? wrapped
  }

  // What stands behind the resource's path. Its host is not compared: servers often can't tell what
  // theirs is called outside, and nothing is asked there.
  private func keyInLocation(of answer: RemoteAnswer, _ resource: Resource) -> JSONValue? {
    guard let text = answer.response.headers.values(of: "Location").first,
      let url = URL(string: text, relativeTo: answer.url)?.absoluteURL,
      let location = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath,
      let base = try? resource.url(),
      var prefix = URLComponents(url: base, resolvingAgainstBaseURL: true)?.percentEncodedPath
    else { return nil }
    if !prefix.hasSuffix("/") { prefix += "/" }
    guard location.hasPrefix(prefix) else { return nil }
    var step = location.dropFirst(prefix.count)
    if step.hasSuffix("/") { step.removeLast() }
    guard !step.contains("/"), let name = String(step).removingPercentEncoding, !name.isEmpty else {
      return nil
    }
    var candidates = [JSONValue.string(name)]
    if let number = try? JSONValue(data: Data(name.utf8)), case .number = number {
      candidates.append(number)
    }
    // The recipe decides which of them can be a key.
    return candidates.first { key in
      do throws(RemoteError) {
        _ = try holder(of: key, resource)
        return true
      } catch {
        return false
      }
    }
  }
}
