"""Drives a headless Chromium by chromedriver, which speaks WebDriver over HTTP."""

import base64
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Down": "\ue015", "Up": "\ue013", "Left": "\ue012", "Right": "\ue014",
        "Home": "\ue011", "End": "\ue010", "Backspace": "\ue003", "Tab": "\ue004", "Control": "\ue009",
        "PageUp": "\ue00e", "PageDown": "\ue00f"}


class Failed(Exception):
    pass


def missing():
    """What there has to be, and isn't; empty if all is there."""
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


class Browser:
    """One window. Use it in a `with`, which ends the browser and its driver."""

    def __init__(self, width=1280, height=800, dark=False, scale=1, mobile=False, extra=()):
        self.profile = tempfile.mkdtemp(prefix="browser")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = open(pathlib.Path(self.profile) / "driver.log", "wb")
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), f"--port={self.port}"], stdout=self.log, stderr=subprocess.STDOUT)
        self.session = None
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            f"--user-data-dir={self.profile}/profile", *extra,
        ]
        options = {"binary": shutil.which("chromium"), "args": arguments}
        try:
            self.until(lambda: self.ask("GET", "/status")["ready"], "chromedriver is ready")
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL"}}}})
            self.session = answer["sessionId"]
            self.size(width, height, mobile, scale)
            self.colors(dark)
        except BaseException:
            self.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        try:
            if self.session:
                self.ask("DELETE", f"/session/{self.session}")
        except (Failed, OSError):
            pass
        self.driver.terminate()
        self.driver.wait()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    # Requests

    def ask(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failed(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def command(self, method, path, body=None):
        return self.ask(method, f"/session/{self.session}{path}", body)

    def devtools(self, name, **parameters):
        return self.command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    @staticmethod
    def until(condition, what, seconds=15):
        """Waits for a condition and returns what it gave; errors on the way count as no."""
        end, error = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                value = condition()
                if value:
                    return value
            except (Failed, OSError) as thrown:
                error = thrown
            time.sleep(0.05)
        raise Failed(f"not within {seconds} s: {what}" + (f" ({error})" if error else ""))

    # The window

    def size(self, width, height, mobile=False, scale=1):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                      mobile=mobile)

    def colors(self, dark, calm=False):
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])

    def go(self, url):
        self.command("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.command("GET", "/url")

    @property
    def title(self):
        return self.command("GET", "/title")

    def picture(self, path):
        data = self.command("GET", "/screenshot")
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def messages(self):
        """What the console was given since the last call."""
        return [f"{one['level']}: {one['message']}" for one in self.command("POST", "/se/log", {"type": "browser"})]

    # The page

    def run(self, script, *arguments):
        """The value that a script returns."""
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script, *arguments):
        """The value that an asynchronous function returns."""
        return self.command("POST", "/execute/async", {"script": (
            "const done = arguments[arguments.length - 1];"
            "(async (...arguments) => {" + script + "})(...[...arguments].slice(0, -1))"
            ".then(done, (error) => done('error: ' + error.message));"), "args": list(arguments)})

    def find(self, selector):
        return self.command("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def named(self, text, scope="button"):
        """The element that is shown and whose text or label is this."""
        found = self.run("""return [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility()
            && [one.textContent.trim(), one.getAttribute("aria-label")].includes(arguments[1]))""", scope, text)
        if not found:
            raise Failed(f"nothing is named {text}")
        return found[ELEMENT]

    def click(self, selector):
        self.command("POST", f"/element/{self.find(selector)}/click")

    def press(self, text, scope="button"):
        """Presses what is named so, as soon as it is there."""
        element = self.until(lambda: self.named(text, scope), f"there is {text}")
        self.command("POST", f"/element/{element}/click")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def type(self, selector, text, clear=False):
        element = self.find(selector)
        if clear:
            self.command("POST", f"/element/{element}/clear")
        self.command("POST", f"/element/{element}/value", {"text": text})

    def keys(self, *names):
        """Presses keys where the focus is."""
        actions = []
        for name in names:
            key = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.command("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def drag(self, selector, start, end, steps=8):
        """Drags across an element, from and to a part of its width."""
        box = self.run("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                       "return [box.left, box.top, box.width, box.height]", selector)
        def point(part):
            return {"x": round(box[0] + box[2] * part), "y": round(box[1] + box[3] / 2)}
        moves = [{"type": "pointerMove", "duration": 30, **point(start + (end - start) * step / steps)}
                 for step in range(1, steps + 1)]
        self.command("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "duration": 0, **point(start)}, {"type": "pointerDown", "button": 0},
                *moves, {"type": "pointerUp", "button": 0}]}]})
