"""How charts look: sizes in inches, colours that colour-blind readers tell apart, and the settings of the drawing library."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's palette in the order used here: one colour a source.
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
BREAK_EVEN = "#E69F00"
INK = "#1A1A1A"
GREY = "#6B6B6B"
FAINT = "#E3E3E3"
PALE = 0.45

WIDTH = 7.4
MARGIN = 0.15
LABEL_CHARACTER = 0.069
N_WIDTH = 0.72
PANEL_GAP = 0.35
ROW_HEIGHT = 0.205
GROUP_GAP = 0.11
TITLE_HEIGHT = 0.62
SECTION_HEIGHT = 0.28
HEAD_HEIGHT = 0.36
AXIS_HEIGHT = 0.42
LINE_HEIGHT = 0.145
CAPTION_CHARACTERS = 150

TITLE_SIZE = 12.0
SECTION_SIZE = 9.0
LABEL_SIZE = 8.0
SMALL_SIZE = 6.8

SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with the library, so that a chart looks alike everywhere
    "font.size": LABEL_SIZE,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "axes.labelcolor": INK,
    "axes.unicode_minus": True,
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "xtick.labelsize": SMALL_SIZE,
    "xtick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "path",
    "svg.hashsalt": "ulti_stats",
    "path.simplify": False,
}
DPI = 300
