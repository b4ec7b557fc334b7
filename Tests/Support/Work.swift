/// Keeps a processor busy for so long, as a long section does.
package func work(for time: Duration) {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end {}
}
