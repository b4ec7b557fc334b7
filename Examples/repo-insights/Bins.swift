/// Days gathered into bins of equal length, few enough to draw.
struct Bins {
  let tallies: [Tally]

  /// The day that the first bin begins with: a Monday, unless the bins are days.
  let start: Day
  let daysPerBin: Int

  /// The commits that are left out, as a clock was wrong that put them far away from all others.
  private(set) var strays = 0

  /// A history of fewer days than this is shown by days.
  private static let young = 8 * 7

  /// As many bins as there is room for at most; nil if there is nothing to draw.
  init?(_ report: Report, atMost count: Int) { self.init(days: report.days, atMost: count) }

  /// As many bins as there is room for at most; nil if there is nothing to draw.
  ///
  /// - Parameters:
  ///   - days: What happened on which day, in order.
  ///   - areWeeks: Whether the days stand for weeks that begin with them.
  ///   - count: The most bins.
  init?(days: [(day: Day, tally: Tally)], areWeeks: Bool = false, atMost count: Int) {
    var days = days[...]
    strays = Bins.dropStrays(from: &days)
    guard let first = days.first?.day, let last = days.last?.day else { return nil }
    let length = last.number - first.number
    let isYoung = !areWeeks && length < Bins.young && length < count
    start = isYoung ? first : first.monday
    let unit = isYoung ? 1 : 7
    let units = (last.number - start.number) / unit + 1
    daysPerBin = unit * max(1, (units + count - 1) / count)
    var tallies = [Tally](
      repeating: Tally(), count: (last.number - start.number) / daysPerBin + 1)
    for day in days { tallies[(day.day.number - start.number) / daysPerBin] += day.tally }
    self.tallies = tallies
  }

  /// As many bins as there is room for beside their largest number, a space and a line.
  init?(_ report: Report, beside columns: Int) {
    var room = columns - 3
    while let bins = Bins(report, atMost: max(1, room)) {
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
  func day(_ bin: Int) -> Day { Day(number: start.number + bin * daysPerBin) }

  /// What a bin stands for, in words.
  var unit: String {
    switch daysPerBin {
    case 1: "day"
    case 7: "week"
    default: "\(daysPerBin / 7) weeks"
    }
  }

  /// Drops the few days at both ends that are farther from the others than these are apart.
  private static func dropStrays(from days: inout ArraySlice<(day: Day, tally: Tally)>) -> Int {
    let few = max(1, days.reduce(0) { $0 + $1.tally.commits } / 100)
    // Most commits are between these two days, whatever a few clocks say.
    guard let early = days.day(after: few), let late = Array(days.reversed())[...].day(after: few)
    else { return 0 }
    let distance = max(5 * 365, late.number - early.number)
    var dropped = 0
    for isEnd in [false, true] {
      let ordered = isEnd ? Array(days.reversed()) : Array(days)
      var (commits, cut) = (0, (days: 0, commits: 0))
      for (place, day) in ordered.enumerated().dropLast() {
        commits += day.tally.commits
        guard commits <= few else { break }
        let gap = abs(ordered[place + 1].day.number - day.day.number)
        if gap > distance { cut = (place + 1, commits) }
      }
      days = isEnd ? days.dropLast(cut.days) : days.dropFirst(cut.days)
      dropped += cut.commits
    }
    return dropped
  }
}

extension ArraySlice<(day: Day, tally: Tally)> {
  /// The day of the first commit that has more than so many before it.
  fileprivate func day(after count: Int) -> Day? {
    var commits = 0
    for day in self {
      commits += day.tally.commits
      if commits > count { return day.day }
    }
    return nil
  }
}
