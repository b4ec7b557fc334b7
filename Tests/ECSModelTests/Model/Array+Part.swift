extension Array {
  /// Puts one of the elements that belong together where another one of them is, and leaves all others where they are.
  ///
  /// Both numbers count the elements of the part.
  mutating func move(_ number: Int, to wanted: Int, inPart isPart: (Element) -> Bool) {
    let places = indices.filter { isPart(self[$0]) }
    var part = places.map { self[$0] }
    part.insert(part.remove(at: number), at: wanted)
    for (place, element) in zip(places, part) { self[place] = element }
  }
}
