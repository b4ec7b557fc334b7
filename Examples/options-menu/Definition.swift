/// An option as the app declares it.
struct Definition {
  let key: String
  let title: String
  let description: String
  var isOn = false
  var parent: String?

  /// The options of an imaginary app.
  static let all = [
    Definition(
      key: "notifications", title: "Notifications",
      description: "Tell me when something happens", isOn: true),
    Definition(
      key: "notifications.sound", title: "Sound",
      description: "With a sound", parent: "notifications"),
    Definition(
      key: "notifications.badge", title: "Badge",
      description: "With a number on the icon", isOn: true, parent: "notifications"),
    Definition(
      key: "notifications.badge.mail", title: "Count mail",
      description: "Include unread mail in the number", parent: "notifications.badge"),
    Definition(
      key: "sync", title: "Synchronize",
      description: "Keep my devices in sync"),
    Definition(
      key: "sync.cellular", title: "Over cellular",
      description: "Where there is no other network", parent: "sync"),
    Definition(
      key: "appearance.dark", title: "Dark mode",
      description: "Light on a dark background", isOn: true),
    Definition(
      key: "diagnostics", title: "Diagnostics",
      description: "Send reports when the app fails"),
  ]
}
