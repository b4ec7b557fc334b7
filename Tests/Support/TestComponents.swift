import ECS

package struct Position: Component, Equatable {
  package var x: Float
  package var y: Float
  package init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }
}

package struct Velocity: Component, Equatable {
  package var dx: Float
  package var dy: Float
  package init(dx: Float, dy: Float) {
    self.dx = dx
    self.dy = dy
  }
}

package struct Health: Component, Equatable {
  package var points: Int32
  package init(points: Int32) { self.points = points }
}

package struct Tag: Component, Equatable {
  package init() {}
}
