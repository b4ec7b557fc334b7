import ECS

struct Position: Component {
  var x: Float
  var y: Float
}

struct Velocity: Component {
  var dx: Float
  var dy: Float
}

struct Tag: Component {}

struct Health: Component {
  var v: Int32
}

struct Name: Component {
  var key: Int
}

struct Data: Component {
  var v: Float
}

struct Event: Component {
  var v: Int32
}

struct Config: UniqueComponent {
  var a: Int
  var b: Int
}
