"""Draws the table of results in the article on performance as a chart."""

import math
import re
from xml.sax.saxutils import escape

LEFT, RIGHT, TOP, STEP, FOOT = 336, 30, 74, 22, 70
LIBRARIES = [("swift-ecs", "ecs"), ("EnTT", "entt"), ("flecs", "flecs")]


def figures(cell):
    """The figure of a cell, and the one in parentheses: what there is if the program helps."""
    numbers = [re.search(r"\d[\d.]*", part) for part in cell.replace("*", "").split("(", 1)]
    return [float(number.group()) if number else None for number in numbers]


def rows(article):
    """The rows that at least one rival has, for the size of most of them, of the table beside the rivals."""
    table = re.search(r"^\|[^\n]*\| EnTT \| flecs \|\n((?:\|[^\n]*\n)+)", article, re.MULTILINE)
    if not table:
        raise ValueError("The article has no table with columns of EnTT and flecs.")
    for line in table.group(1).split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 6 or not re.fullmatch(r"[A-Z]\db?", cells[0]) or cells[0] == "M1":
            continue
        ours, rivals = figures(cells[2]), [figures(cell) for cell in cells[4:]]
        if any(rival[0] for rival in rivals):
            yield f"{cells[1]} ({cells[0]})", [ours] + rivals


def svg(article, width=820):
    """The chart: a dot for each library, on a scale on which each step is ten times as much."""
    place = re.search(r"(AMD EPYC|Intel|Apple)[^;]*?, (\w+ 20\d\d),", article, re.DOTALL)
    if not place:
        raise ValueError("The article does not say where and when its figures were measured.")
    table = list(rows(article))
    all_figures = [f for _, cells in table for cell in cells for f in cell if f]
    low = math.floor(math.log10(min(all_figures)))
    high = math.ceil(math.log10(max(all_figures)))
    height = TOP + STEP * len(table) + FOOT

    def x(figure):
        return LEFT + (math.log10(figure) - low) / (high - low) * (width - LEFT - RIGHT)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        'role="img">',
        "<title>swift-ecs beside EnTT and flecs</title>",
        "<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.s{font-size:12px;fill:#59636e}"
        ".t{font-size:15px;font-weight:600}line{stroke:#d1d9e0}.p{fill:#fff}"
        ".ecs{fill:#d1480f;stroke:#d1480f}.entt{fill:#0969da;stroke:#0969da}"
        ".flecs{fill:#1a7f37;stroke:#1a7f37}.h{fill:none;stroke-width:1.6}"
        "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.s{fill:#9198a1}line{stroke:#3d444d}"
        ".p{fill:#0d1117}.ecs{fill:#ff8a50;stroke:#ff8a50}.entt{fill:#58a6ff;stroke:#58a6ff}"
        ".flecs{fill:#3fb950;stroke:#3fb950}.h{fill:none}}</style>",
        '<rect width="100%" height="100%" rx="8" class="p"/>',
        '<text x="16" y="28" class="t">Nanoseconds for each entity, pair, read or event: less is better</text>',
    ]
    for index, (name, kind) in enumerate(LIBRARIES):
        parts.append(f'<circle cx="{22 + index * 100}" cy="47" r="5" class="{kind}"/>')
        parts.append(f'<text x="{32 + index * 100}" y="52">{name}</text>')
    for index, (_, kind) in enumerate(LIBRARIES):
        parts.append(f'<circle cx="{308 + index * 14}" cy="47" r="4.5" class="{kind} h"/>')
    parts.append('<text x="346" y="52">the same if the program helps it</text>')
    bottom = TOP + STEP * len(table)
    for power in range(low, high + 1):
        at = f"{x(10 ** power):.1f}"
        parts.append(f'<line x1="{at}" x2="{at}" y1="{TOP - 8}" y2="{bottom}"/>')
        label = f"{10 ** power:g}"
        parts.append(f'<text x="{at}" y="{bottom + 16}" text-anchor="middle" class="s">{label}</text>')
    for index, (name, cells) in enumerate(table):
        y = TOP + STEP * index + STEP / 2
        parts.append(
            f'<text x="{LEFT - 14}" y="{y + 4.5:.1f}" text-anchor="end">{escape(name)}</text>')
        for (_, kind), cell in reversed(list(zip(LIBRARIES, cells))):
            for number, figure in enumerate(cell):
                if figure:
                    look = f'r="4.5" class="{kind} h"' if number else f'r="5" class="{kind}"'
                    parts.append(f'<circle cx="{x(figure):.1f}" cy="{y:.1f}" {look}/>')
    machine = re.sub(r"\s+", " ", place.group()).rstrip(",")
    for line, text in enumerate([
            f"{machine}.", "The minimum of many samples, on one core; all rows are in Performance.md."]):
        parts.append(f'<text x="16" y="{height - 30 + 17 * line}" class="s">{escape(text)}</text>')
    return "\n".join(parts + ["</svg>", ""])
