import Foundation
import Synchronization

/// A terminal that is taken over as a whole: another screen, no cursor, keys that are not shown, lines
/// that end where the window does.
///
/// However the program ends, by ``stop()``, by an error or by a signal, the terminal is as it was
/// before; while the program is stopped by Control-Z it is, too.
package final class FullScreen: Sendable {
  private let original: Mutex<termios>
  private let takesControlKeys: Bool
  private let cleanup = Mutex<Cleanup?>(nil)

  /// Whether the terminal is taken over at the moment: nothing may be drawn on what it shows else.
  private let isTaken = Mutex(false)
  private let changes = Mutex<(@Sendable () -> Void)?>(nil)

  /// Whether there is a terminal to show it, and to press keys at.
  package static var isPresent: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Takes over the terminal.
  ///
  /// - Parameter takesControlKeys: Whether keys such as Control-C are handed over like others.
  package init(takesControlKeys: Bool) {
    var settings = termios()
    unsafe tcgetattr(STDIN_FILENO, &settings)
    original = Mutex(settings)
    self.takesControlKeys = takesControlKeys
    enter()
    cleanup.withLock { $0 = Cleanup { [weak self] in self?.leave() } }
    Signals.on(SIGTSTP) { [weak self] in
      self?.leave()
      Signals.stop(by: SIGTSTP)
      self?.enter()
      self?.tellOfChange()
    }
  }

  deinit { stop() }

  /// Gives the terminal back.
  package func stop() {
    let isLeft = cleanup.withLock { cleanup in
      defer { cleanup = nil }
      return cleanup == nil
    }
    if !isLeft { leave() }
  }

  /// Writes to the screen; a signal says that one is gone.
  package func write(_ text: String) {
    isTaken.withLock { if $0 { FullScreen.put(text) } }
  }

  private static func put(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// The size of the window, that of a classic terminal if it is not known.
  package static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Has a closure run, on a thread of its own, when all has to be drawn anew: the window has another
  /// size, or the terminal was given back for a while.
  package func onChange(_ body: @escaping @Sendable () -> Void) {
    changes.withLock { $0 = body }
    Signals.on(SIGWINCH) { [weak self] in self?.tellOfChange() }
  }

  private func tellOfChange() {
    let body = changes.withLock { $0 }
    body?()
  }

  private func enter() {
    var settings = original.withLock { $0 }
    var flags = ECHO | ICANON | IEXTEN
    if takesControlKeys {
      flags |= ISIG
      settings.c_iflag &= ~tcflag_t(IXON)
    }
    settings.c_lflag &= ~tcflag_t(flags)
    unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    isTaken.withLock { isTaken in
      isTaken = true
      FullScreen.put("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    }
  }

  private func leave() {
    // Another thread may be drawing, and be held up by a terminal that takes no more.
    for _ in 0..<50 {
      let isLeft: Void? = isTaken.withLockIfAvailable { isTaken in
        if isTaken { FullScreen.put("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l") }
        isTaken = false
      }
      if isLeft != nil { break }
      usleep(20_000)
    }
    // What was typed and not read is not for the shell.
    var settings = original.withLock { $0 }
    unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }
}
