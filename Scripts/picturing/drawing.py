"""Draws what a terminal shows as SVG."""

import base64
import struct
import zlib
from xml.sax.saxutils import escape

WIDTH, HEIGHT, SIZE, MARGIN = 7.8, 17, 13, 12
INK, PAPER = "#d1d7e0", "#151b23"
EIGHTHS = "▁▂▃▄▅▆▇█"


def blocks(character):
    """The part of a cell that a block covers: left, top, width, height; nil if it is none."""
    if character in EIGHTHS:
        height = (EIGHTHS.index(character) + 1) / 8
        return (0, 1 - height, 1, height)
    if character in "▏▎▍▌▋▊▉":
        return (0, 0, ("▏▎▍▌▋▊▉".index(character) + 1) / 8, 1)
    if character == "▀":
        return (0, 0, 1, 0.5)
    return None


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Drawing:
    """Rectangles by color, and runs of text."""

    def __init__(self, lines, columns, rows):
        self.rectangles, self.texts = {}, []
        for row, line in enumerate(lines):
            self.draw(row, line)
        self.width = columns * WIDTH + 2 * MARGIN
        self.height = rows * HEIGHT + 2 * MARGIN

    def draw(self, row, line):
        run = None
        for column, (character, style) in enumerate(line):
            color, ground, bold, dim, reverse = style
            color = color or INK
            if reverse:
                color, ground = ground or PAPER, color
            if ground:
                self.cover(row, column, (0, 0, 1, 1), ground)
            part = blocks(character)
            if part:
                self.cover(row, column, part, color)
            is_text = character.strip() and not part
            look = (color, bold, dim)
            # A single space does not end a run, two do.
            if is_text and run and run[2] == look and column - run[1] <= 1:
                run[3] += " " * (column - run[1]) + character
                run[1] = column + 1
            elif is_text:
                run = [column, column + 1, look, character]
                self.texts.append((row, run))

    def cover(self, row, column, part, color):
        left, top, width, height = part
        x, y = (column + left) * WIDTH, (row + top) * HEIGHT
        rectangles = self.rectangles.setdefault(color, [])
        # What goes on in the next cell is one rectangle.
        if rectangles:
            last = rectangles[-1]
            if last[1] == y and last[3] == height * HEIGHT and abs(last[0] + last[2] - x) < 0.01:
                last[2] += width * WIDTH
                return
        rectangles.append([x, y, width * WIDTH, height * HEIGHT])

    def svg(self, title):
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(self.width)} '
            f'{number(self.height)}" width="{number(self.width)}" role="img">',
            f"<title>{escape(title)}</title>",
            "<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',"
            "monospace;white-space:pre}.b{font-weight:600}.d{opacity:.6}</style>" % SIZE,
            f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
            f'<g transform="translate({MARGIN} {MARGIN})" fill="{INK}">',
        ]
        for color, rectangles in self.rectangles.items():
            path = "".join(
                f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z"
                for x, y, w, h in rectangles)
            parts.append(f'<path fill="{color}" shape-rendering="crispEdges" d="{path}"/>')
        for row, (start, end, (color, bold, dim), text) in self.texts:
            name = ("b" if bold else "") + (" d" if dim else "")
            parts.append(
                f'<text x="{number(start * WIDTH)}" y="{number((row + 0.76) * HEIGHT)}" '
                f'textLength="{number((end - start) * WIDTH)}"'
                + (f' class="{name.strip()}"' if name else "")
                + (f' fill="{color}"' if color != INK else "")
                + f">{escape(text)}</text>")
        return "\n".join(parts + ["</g></svg>", ""])


def mosaic(lines, columns, title, size=8):
    """Draws cells that are half blocks: two pixels, one above the other."""
    rows = []
    for line in lines:
        for index in (0, 1):
            row = [style[index] or PAPER for _, style in line[:columns]]
            row += [PAPER] * (columns - len(row))
            rows.append(b"\0" + b"".join(bytes.fromhex(color[1:]) for color in row))

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    header = struct.pack(">IIBBBBB", columns, len(rows), 8, 2, 0, 0, 0)
    image = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    image += chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b"")
    width, height = columns * size, len(rows) * size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'role="img">\n<title>{escape(title)}</title>\n<image width="{width}" height="{height}" '
        'style="image-rendering:pixelated" href="data:image/png;base64,'
        f'{base64.b64encode(image).decode()}"/>\n</svg>\n')
