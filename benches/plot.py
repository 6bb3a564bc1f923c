#!/usr/bin/env python3
"""Draws docs/speed.svg from the table that benches/peers.sh prints.

    benches/peers.sh | tee peers.md && benches/plot.py < peers.md > docs/speed.svg

One group of bars a case, on a logarithmic axis, because the figures span four orders of magnitude.
"""
import math
import sys

CASES = ["list 200", "list 200 + 200 in a second agent's folder", "choose for a task, of 2,000"]
LEFT, RIGHT, ROW, GAP = 250, 640, 20, 30
LOW, HIGH = 1.0, 100_000.0

rows = []
for line in sys.stdin:
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) == 5 and cells[0] in CASES and cells[2][:1].isdigit():
        rows.append((cells[0], cells[1].split(" -")[0], float(cells[2].replace(",", ""))))
if not rows:
    sys.exit("no table of benches/peers.sh on standard input")


def place(milliseconds):
    share = math.log10(milliseconds / LOW) / math.log10(HIGH / LOW)
    return LEFT + share * (RIGHT - LEFT)


parts, top = [], 44
for case in CASES:
    parts.append(f'<text x="16" y="{top}" class="case">{case}</text>')
    top += 10
    for _, program, milliseconds in (row for row in rows if row[0] == case):
        own = program.startswith("skillflux")
        end = place(milliseconds)
        parts.append(f'<text x="{LEFT - 8}" y="{top + 13}" class="name">{program}</text>')
        parts.append(
            f'<rect x="{LEFT}" y="{top + 2}" width="{end - LEFT:.1f}" height="{ROW - 6}" rx="2" '
            f'fill="{"#0f766e" if own else "#94a3b8"}"/>'
        )
        parts.append(f'<text x="{end + 6:.1f}" y="{top + 13}" class="value">{milliseconds:,g} ms</text>')
        top += ROW
    top += GAP
axis = []
for power in range(0, 5):
    x = place(10**power)
    axis.append(f'<line x1="{x:.1f}" y1="34" x2="{x:.1f}" y2="{top - GAP}" stroke="#e2e8f0"/>')
    axis.append(f'<text x="{x:.1f}" y="{top - GAP + 16}" class="tick">{10**power:,} ms</text>')
height = top
print(
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" width="760" height="{height}" '
    'font-family="system-ui, sans-serif" font-size="12" role="img" '
    'aria-label="Whole-process times of skillflux and other tools, logarithmic">'
    "<style>.case{font-weight:600;fill:#0f172a}.name{text-anchor:end;fill:#334155}.value{fill:#0f172a}"
    ".tick{text-anchor:middle;fill:#64748b;font-size:11px}</style>"
    f'<rect width="760" height="{height}" rx="8" fill="#f8fafc"/>'
)
print("\n".join(axis + parts))
print("</svg>")
