"""Runs a program that has an inspector, and finds its address in what it prints."""

import os
import queue
import re
import signal
import subprocess
import threading
import time

from browser import Failed

LONGEST_START = 900  # Seconds, for a first build.


class Inspected:
    """The program, with all processes that it starts."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def address(self):
        """The address and the token that the program prints."""
        end, seen = time.monotonic() + LONGEST_START, []
        while time.monotonic() < end:
            try:
                line = self.lines.get(timeout=1)
            except queue.Empty:
                continue
            if line is None:
                break
            seen.append(line)
            found = re.search(r"(http://(?:127\.0\.0\.1|localhost):\d+/)#(\S+)", re.sub(r"\x1b\[[\d;]*m", "", line))
            if found:
                return found[1], found[2]
        raise Failed("the program prints no address of an inspector: " + "".join(seen[-20:]))

    def end(self):
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, sign)
            except ProcessLookupError:
                break
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                pass
