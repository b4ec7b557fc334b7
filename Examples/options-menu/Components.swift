import ECS

// An option is an entity with these components. What it lacks says something too: one without a
// title is kept in the file, but not shown.

/// Identifies an option, in the file as well.
struct OptionKey: Component, Hashable {
  let name: String
}

/// Where an option stands in the menu.
struct MenuIndex: Component {
  let value: Int
}

struct Title: Component {
  let text: String
}

struct Description: Component {
  let text: String
}

/// Whether an option is on.
struct Value: Component, Equatable {
  var isOn: Bool
}

// The option that another one depends on is its parent, by the ready-made relation `ChildOf`: a child
// cannot be on while its parent is off.

// What there is once is a unique component.

/// The option at which the cursor is.
struct Selection: UniqueComponent, Equatable {
  var option: Entity
}

/// What happened to the file when it was read, to be shown to the user.
struct Notice: UniqueComponent {
  let text: String
}

/// Why the last change has not been saved yet; not there if it has.
struct SaveFailure: UniqueComponent, Equatable {
  let text: String
}

/// How much room there is to draw; not there if what is drawn goes into a file or a pipe.
struct WindowSize: UniqueComponent, Equatable {
  var columns: Int
  var rows: Int
}
