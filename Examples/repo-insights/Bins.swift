/// Weeks gathered into bins of equal length, few enough to draw.
struct Bins {
  let tallies: [Tally]

  /// The Monday that the first bin begins with.
  let start: Day
  let weeksPerBin: Int

  /// Nil if there is nothing to draw.
  init?(_ weeks: [(monday: Day, tally: Tally)], atMost count: Int) {
    guard let first = weeks.first?.monday, let last = weeks.last?.monday else { return nil }
    let weekCount = (last.number - first.number) / 7 + 1
    weeksPerBin = max(1, (weekCount + count - 1) / count)
    start = first
    var tallies = [Tally](
      repeating: Tally(), count: (weekCount + weeksPerBin - 1) / weeksPerBin)
    for week in weeks {
      tallies[(week.monday.number - first.number) / 7 / weeksPerBin] += week.tally
    }
    self.tallies = tallies
  }

  /// As many bins as there is room for beside their largest number, a space and a line.
  init?(_ weeks: [(monday: Day, tally: Tally)], beside columns: Int) {
    var room = columns - 3
    while let bins = Bins(weeks, atMost: max(1, room)) {
      let label = grouped(bins.tallies.map(\.commits).max() ?? 0).count
      // Fewer bins have larger numbers.
      if bins.tallies.count <= max(1, columns - 3 - label) {
        self = bins
        return
      }
      room = min(room - 1, columns - 3 - label)
    }
    return nil
  }

  /// The first day of a bin.
  func day(_ bin: Int) -> Day { Day(number: start.number + bin * weeksPerBin * 7) }

  /// What a bin stands for, in words.
  var unit: String { weeksPerBin == 1 ? "week" : "\(weeksPerBin) weeks" }
}
