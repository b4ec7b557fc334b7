"""Runs programs on terminals, and keeps what can be seen there."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata

NAMED = ["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#d1d7e0"]


class Style:
    """How a cell is drawn."""

    def __init__(self):
        self.color, self.ground, self.bold, self.dim, self.reverse = None, None, False, False, False

    def take(self, parameter):
        numbers = [int(number or 0) for number in parameter.split(";")]
        while numbers:
            number = numbers.pop(0)
            if number == 0:
                self.__init__()
            elif number == 1:
                self.bold = True
            elif number == 2:
                self.dim = True
            elif number == 7:
                self.reverse = True
            elif 30 <= number <= 37:
                self.color = NAMED[number - 30]
            elif number in (38, 48) and numbers[:1] == [2]:
                color = "#%02x%02x%02x" % tuple(numbers[1:4])
                del numbers[:4]
                if number == 38:
                    self.color = color
                else:
                    self.ground = color
            else:
                raise ValueError(f"no style {number}")

    @property
    def key(self):
        return (self.color, self.ground, self.bold, self.dim, self.reverse)


BLANK = (" ", Style().key)


class Screen:
    """The cells of a terminal, by the few sequences that the examples use."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [[]]
        self.row = self.column = 0
        self.is_full = False
        self.is_drawing = False
        self.style = Style()
        self.pending = ""
        #: What the other screen showed when it was left.
        self.last = None

    @property
    def text(self):
        return "\n".join("".join(cell[0] for cell in line) for line in self.lines)

    def take(self, text):
        self.pending += text
        while self.pending:
            first = self.pending[0]
            if first == "\x1b":
                end = next(
                    (i for i, c in enumerate(self.pending[2:], 2) if "@" <= c <= "~"), None)
                if end is None:
                    return
                self.carry_out(self.pending[2:end], self.pending[end])
                self.pending = self.pending[end + 1:]
                continue
            self.put(first)
            self.pending = self.pending[1:]

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            if self.is_full:
                self.row = min(self.row, self.rows - 1)
        elif unicodedata.combining(character):
            line = self.line()
            if self.column > 0:
                line[self.column - 1] = (line[self.column - 1][0] + character,) + line[self.column - 1][1:]
        else:
            line = self.line()
            while len(line) <= self.column:
                line.append(BLANK)
            line[self.column] = (character, self.style.key)
            if unicodedata.east_asian_width(character) in "WF":
                line[self.column + 1:self.column + 2] = [("", self.style.key)]
                self.column += 1
            self.column = min(self.column + 1, self.columns - (1 if self.is_full else 0))

    def line(self):
        while len(self.lines) <= self.row:
            self.lines.append([])
        return self.lines[self.row]

    def carry_out(self, parameter, final):
        is_on = final == "h"
        if parameter == "?1049":
            if not is_on:
                self.last = self.lines
            self.is_full, self.lines, self.row, self.column = is_on, [[]], 0, 0
        elif parameter == "?2026":
            self.is_drawing = is_on
        elif final == "m":
            self.style.take(parameter)
        elif final == "H":
            place = [int(number) for number in (parameter or "1;1").split(";")]
            self.row, self.column = place[0] - 1, place[1] - 1
        elif final == "K":
            del self.line()[self.column:]
        elif final == "J":
            if parameter == "2":
                self.lines = [[]]
            else:
                del self.line()[self.column:]
                del self.lines[self.row + 1:]


class Program:
    """A program on a terminal of its own."""

    def __init__(self, arguments, columns, rows, folder=None):
        self.screen = Screen(columns, rows)
        self.end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(
            arguments, stdin=other, stdout=other, stderr=other, env=environment, cwd=folder,
            preexec_fn=take_terminal)
        os.close(other)

    def type(self, text):
        os.write(self.end, text.encode())

    def wait(self, condition, seconds=60):
        """Reads until a drawing is complete that meets a condition."""
        limit = time.monotonic() + seconds
        while not (condition(self.screen) and not self.screen.is_drawing):
            if time.monotonic() > limit:
                self.process.send_signal(signal.SIGTERM)
                raise TimeoutError(self.screen.text)
            if not self.read():
                break

    def settle(self, seconds):
        """Reads for a while."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit and self.read():
            pass

    def read(self):
        """Takes what comes within a moment; false when the program has ended."""
        if not select.select([self.end], [], [], 0.1)[0]:
            return True
        try:
            text = os.read(self.end, 1 << 16)
        except OSError:
            return False
        self.buffer = getattr(self, "buffer", b"") + text
        # Characters may come in parts.
        for length in range(len(self.buffer), max(-1, len(self.buffer) - 4), -1):
            try:
                self.screen.take(self.buffer[:length].decode())
                self.buffer = self.buffer[length:]
                break
            except UnicodeDecodeError:
                continue
        return bool(text)

    def finish(self):
        """Reads to the end."""
        while self.read():
            pass
        status = self.process.wait()
        if status != 0:
            raise RuntimeError(f"ended with {status}: {self.screen.text}")
