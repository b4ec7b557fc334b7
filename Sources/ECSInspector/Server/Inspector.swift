#if Inspector
  import ECS
  public import Foundation
  import Synchronization

  /// A page in a browser that shows what is in a program's contexts.
  ///
  /// ```swift
  /// let inspector = try await Inspector { $0.add(context) }
  /// print(inspector.url)  // http://127.0.0.1:49213/#8f3c…
  /// ```
  ///
  /// It is for the time of development: see <doc:InspectingAProgram> for what it shows, what it
  /// costs, and how it is kept from others. As long as no page is open it only counts runs of
  /// loops. It ends when it is released, or with ``stop()``.
  public final class Inspector: Sendable {
    /// The address to open, with the secret that lets the page in behind `#`.
    public let url: URL

    private let server: LocalServer
    private let desk: HeldDesk

    /// Starts to listen on this machine.
    ///
    /// - Parameters:
    ///   - port: The port of 127.0.0.1; 0, unless given, for any that is free.
    ///   - readOnly: Whether nothing can be changed, which is so unless given otherwise: neither
    ///     entities nor whether loops run.
    ///   - allowInRelease: Whether it starts in a build with optimization.
    ///   - sources: Adds what is shown.
    /// - Throws: ``InspectorError``.
    public nonisolated(nonsending) convenience init(
      port: UInt16 = 0, readOnly: Bool = true, allowInRelease: Bool = false,
      _ sources: (inout InspectorSources) -> Void
    ) async throws(InspectorError) {
      let start = ContinuousClock.now
      try await self.init(
        port: port, readOnly: readOnly, allowInRelease: allowInRelease, unknownLimit: .seconds(10),
        now: { ContinuousClock.now - start }, sources)
    }

    /// Starts to listen; connections that have not shown the secret have some time, the limit, and
    /// wrong ones are counted by a clock.
    package nonisolated(nonsending) init(
      port: UInt16 = 0, readOnly: Bool, allowInRelease: Bool, unknownLimit: Duration,
      now: @escaping @Sendable () -> Duration, _ sources: (inout InspectorSources) -> Void
    ) async throws(InspectorError) {
      try Inspector.checkBuild(isOptimized: Inspector.isOptimized, allowed: allowInRelease)
      var shown = InspectorSources()
      sources(&shown)
      let gate = Gate(now: now)
      let desk = HeldDesk(Desk(shown, isReadOnly: readOnly))
      self.desk = desk
      do {
        server = try await LocalServer(port: port, gate, unknownLimit: unknownLimit) {
          (question) throws(Failure) in
          guard let desk = desk.present else { throw Failure(410, "the inspector has ended") }
          return try await desk.answer(question)
        }
      } catch {
        desk.end()
        throw error
      }
      guard let url = URL(string: "http://127.0.0.1:\(server.port)/#\(gate.token.text)") else {
        throw InspectorError(.port("\(server.port)"))
      }
      self.url = url
    }

    deinit {
      let server = server
      desk.end()
      Task { await server.stop() }
    }

    /// Ends all connections, listens no more, and releases all that was shown.
    public func stop() async {
      desk.end()
      await server.stop()
    }

    /// Refuses optimized builds, unless they are allowed.
    package static func checkBuild(isOptimized: Bool, allowed: Bool) throws(InspectorError) {
      if isOptimized && !allowed { throw InspectorError(.optimizedBuild) }
    }

    /// Whether this was built with optimization, in which assertions are not evaluated.
    private static var isOptimized: Bool {
      var isOptimized = true
      assert(
        {
          isOptimized = false
          return true
        }())
      return isOptimized
    }
  }

  /// A desk until its inspector ends.
  private final class HeldDesk: Sendable {
    private let held: Mutex<Desk?>

    init(_ desk: Desk) { held = Mutex(desk) }

    var present: Desk? { held.withLock(\.self) }

    func end() {
      let desk = held.withLock { held in
        defer { held = nil }
        return held
      }
      desk?.end()
    }
  }
#endif
