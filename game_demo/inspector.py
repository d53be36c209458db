"""The inspector: what the parts of the selected creature tell, whatever parts they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pygame

from ..engine.readings import Reading
from . import theme
from .panel_page import (
    CELLS,
    CURVE_ROW,
    DARK,
    GUTTER,
    PICTURE_ROW,
    Page,
    badge_lines,
    chart_pixels,
    mixed,
    number_width,
)
from .sliders import Slider, sliders_of

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from .session import Session
    from .watch import Watch

WIDTH = 376
CHART_ROW = 9  # pixels per row of a chart where there is room
SMALLEST_CHART = 24
LEGEND_COLUMNS = 4
CELL_LEGEND_COLUMNS = 3
NAME_ROW, KIND_ROW = 27, 21
GROUP_GAP, PART_GAP = 4, 3
PROBLEM_LINES = 3  # of a part that cannot be read

Legend = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Row:
    """A piece of the panel: how high it is, and how it is drawn."""

    height: int
    draw: Callable[[Page], None]
    reading: bool = True
    """Whether it is a reading of its own, not the legend of one."""


@dataclass(frozen=True)
class Chart:
    """A strip of some part, with its past in the watch."""

    part: str
    reading: Reading

    @property
    def wanted_height(self) -> int:
        return max(CHART_ROW * len(self.reading.values), SMALLEST_CHART)


def draw_inspector(screen: Any, session: Session) -> pygame.Rect | None:
    """Draw the panel at the right edge and return where it is; with no creature selected there is none."""
    creature = session.selected
    session.watch.places.clear()
    session.watch.sliders.clear()
    if creature is None or not creature.in_world:
        return None
    width, height = screen.get_size()
    rect = pygame.Rect(0, 0, min(WIDTH, width * 2 // 3), height - 2 * theme.MARGIN)
    inner = rect.width - 2 * theme.MARGIN
    if min(inner, rect.height - 2 * theme.MARGIN) <= 0:
        return None
    head = [*_head(creature, session, inner), *_slider_rows(creature, session)]
    told = _content(session.watch, inner, rect.height - 2 * theme.MARGIN - sum(row.height for row in head))
    rect.height = min(rect.height, sum(row.height for row in (*head, *told)) + 2 * theme.MARGIN)
    rect.topright = (width - theme.MARGIN, theme.MARGIN)
    theme.panel(screen, rect, blurred=True)
    page = Page(screen, rect, number_width(_numbers(session.watch)))
    before = screen.get_clip()
    screen.set_clip(rect.clip(before))
    try:
        for row in (*head, *told):
            start = page.y
            row.draw(page)
            page.y = start + row.height
    finally:
        screen.set_clip(before)
    return rect


def _head(creature: Creature, session: Session, width: int) -> list[Row]:
    """Who it is, and what it is doing in words."""
    badges = [(word.text, theme.TONES[word.tone]) for word in session.watch.words]
    if creature.dead:  # whatever its parts say: it does nothing any more
        badges = [("DEAD", theme.BAD)]
    if session.driving:
        badges.append(("YOU", theme.GOOD))
    kind = f"{creature.species.name}   tier {creature.tier}"
    high = (theme.BADGE + 4) * len(badge_lines(badges, width))
    return [
        Row(NAME_ROW, lambda page: page.text(creature.name, theme.INK, theme.LARGE, bold=True)),
        Row(KIND_ROW, lambda page: page.text(kind, theme.FAINT)),
        Row(high + 2, lambda page: page.badges(badges)),
    ]


def _slider_rows(creature: Creature, session: Session) -> list[Row]:
    """What can be changed of it, if the player wants to."""
    panel = session.watch.sliders
    if not panel.are_shown:
        return []
    told = sliders_of(creature)
    panel.shown = told
    if not told:
        return [_line("only living fishes have sliders", theme.FAINT)]

    def row(slider: Slider) -> Row:
        def draw(page: Page) -> None:
            place = page.slider(slider.name, slider.share, f"{slider.factor:.2f}", theme.TONES["violet"])
            panel.places[slider.name] = place.x, place.y, place.width, place.height

        return Row(theme.LINE, draw)

    return [row(slider) for slider in told]


def _content(watch: Watch, width: int, room: int) -> list[Row]:
    """Everything below the head: what there is room for, and how much there is besides."""
    rows = _rows(watch, width)
    charts = [Chart(report.part, reading) for report in watch.reports for reading in report.readings
              if reading.kind == "strip" and reading.values]  # fmt: skip
    if not (rows or charts):
        rows = [_line("none of its parts tells anything", theme.FAINT)]
    rows, charts, left_out = _what_fits(rows, charts, room)
    if left_out:
        rows = [*rows, _line(f"{left_out} more: there is no room for them here", theme.FAINT)]
    return [*rows, *_chart_rows(watch, charts, room - sum(row.height for row in rows), width)]


def _rows(watch: Watch, width: int) -> list[Row]:
    """Bars, cells, curves, pictures and problems of all parts, in part order; cells with the same states share a legend."""
    rows: list[Row] = []
    pending: Legend = ()
    for report in watch.reports:
        before = len(rows)
        for reading in report.readings:
            if pending and (reading.kind != "cells" or reading.states != pending):
                rows.append(_cell_legend(pending))
                pending = ()
            if reading.kind == "bar":
                rows.append(_bar(reading))
            elif reading.kind == "curve":
                rows.append(_curve(watch, report.part, reading))
            elif reading.kind == "picture" and reading.look is not None:
                rows.append(_picture(watch, report.part, reading))
            elif reading.kind == "cells" and reading.values:
                rows.append(_cells(reading))
                pending = reading.states
        if pending:
            rows.append(_cell_legend(pending))
            pending = ()
        if report.problem:
            told = theme.wrapped(f"{report.part}: {report.problem}", width, theme.SMALL)
            rows += [_line(line, theme.BAD) for line in told[:PROBLEM_LINES]]
        if len(rows) > before:
            rows[-1] = replace(rows[-1], height=rows[-1].height + PART_GAP)
    return rows


def _bar(reading: Reading) -> Row:
    return Row(theme.LINE, lambda page: page.bar(reading.name, reading.share, reading.text, theme.TONES[reading.tone]))


def _curve(watch: Watch, part: str, reading: Reading) -> Row:
    past = watch.past(part, reading)[0]
    return Row(CURVE_ROW, lambda page: page.curve(reading.name, past, reading.text, theme.TONES[reading.tone]))


def _picture(watch: Watch, part: str, reading: Reading) -> Row:
    """Made when it is drawn, so that what has no room costs nothing."""

    def draw(page: Page) -> None:
        shown = watch.picture(part, reading)
        if shown.problem:
            for line in theme.wrapped(f"{part}: {shown.problem}", page.width, theme.SMALL)[:PROBLEM_LINES]:
                page.text(line, theme.BAD)
        else:
            place = page.picture(reading.name, shown.view, shown.image)
            watch.places[part, reading.name] = place.x, place.y, place.width, place.height

    return Row(PICTURE_ROW, draw)


def _cells(reading: Reading) -> Row:
    if reading.states:
        colours: list[Any] = [theme.TONES[reading.states[int(value)][1]] for value in reading.values]
    else:
        colours = [mixed(DARK, theme.TONES[reading.tone], value) for value in reading.values]
    return Row(CELLS, lambda page: page.cells(reading.name, colours, reading.text))


def _cell_legend(states: Legend) -> Row:
    entries = [(name, theme.TONES[tone]) for name, tone in states]
    columns = min(len(entries), CELL_LEGEND_COLUMNS)
    high = theme.LINE * -(-len(entries) // columns)
    return Row(high, lambda page: page.legend(entries, columns, page.label), reading=False)


def _line(text: str, colour: theme.Colour) -> Row:
    return Row(theme.LINE, lambda page: page.text(text, colour))


def _numbers(watch: Watch) -> Iterable[str]:
    return (reading.text for report in watch.reports for reading in report.readings if reading.kind in ("bar", "curve"))


def _what_fits(rows: list[Row], charts: list[Chart], room: int) -> tuple[list[Row], list[Chart], int]:
    """Leave charts out, then rows, from the last one on, until the rest fits; also how many were left out."""
    high, left_out = sum(row.height for row in rows), 0
    while charts and _smallest(charts) + high + theme.LINE * bool(left_out) > room:
        charts, left_out = charts[:-1], left_out + 1
    kept = len(rows)
    while kept and high + theme.LINE * bool(left_out) > room:
        kept -= 1
        high, left_out = high - rows[kept].height, left_out + rows[kept].reading
    return rows[:kept], charts, left_out


def _smallest(charts: list[Chart]) -> int:
    return _around(charts) + SMALLEST_CHART * len(charts) if charts else 0


def _around(charts: list[Chart]) -> int:
    """Pixels that charts need besides themselves: names, time and legends."""
    legends = sum(theme.LINE * -(-len(states) // LEGEND_COLUMNS) for states in _legends(charts))
    return (theme.LINE + 4) * len(charts) + theme.LINE + legends + GROUP_GAP


def _legends(charts: list[Chart]) -> list[Legend]:
    return list(dict.fromkeys(chart.reading.states for chart in charts))


def _chart_rows(watch: Watch, charts: list[Chart], room: int, width: int) -> list[Row]:
    """Strips one below the other, smaller where they have to be, then the time and what the colours mean."""
    if not charts:
        return []
    more = sum(chart.wanted_height - SMALLEST_CHART for chart in charts)  # than the least that all of them get
    share = min((room - _smallest(charts)) / max(more, 1), 1.0)
    rows = [Row(GROUP_GAP, lambda _page: None)]
    for chart in charts:
        high = SMALLEST_CHART + int(share * (chart.wanted_height - SMALLEST_CHART))
        palette = [theme.TONES[tone] for _, tone in chart.reading.states]
        pixels = chart_pixels(watch.past(chart.part, chart.reading), palette, max(width - GUTTER, 1), high)
        rows.append(Row(high + theme.LINE + 4, _draw_chart(chart, pixels)))
    rows.append(Row(theme.LINE, lambda page: page.seconds()))
    return [*rows, *(_chart_legend(states) for states in _legends(charts))]


def _draw_chart(chart: Chart, pixels: Any) -> Callable[[Page], None]:
    return lambda page: page.chart(chart.reading.name, pixels, len(chart.reading.values))


def _chart_legend(states: Legend) -> Row:
    entries = [(name, theme.TONES[tone]) for name, tone in states]
    high = theme.LINE * -(-len(entries) // LEGEND_COLUMNS)
    return Row(high, lambda page: page.legend(entries, LEGEND_COLUMNS))
