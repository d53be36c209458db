"""The demonstrations of muscles in one picture. [Fang15 Fig. 5.2, 5.3]  Needs the extra `sweep`."""

from __future__ import annotations

import sys
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from paludarium.examples.figure_body import ABOVE, ACCENT, INK, SIDE, STYLE, draw_body, frame, save
from paludarium.examples.muscles import DEMONSTRATIONS, Film, build_world, check

GHOST = 0.35


def show(name: str) -> Film:
    """The film of one demonstration, after its claim has been checked."""
    world = build_world(name)
    check(world)
    return world.resource(Film)


def two_moments(axes: Any, name: str, title: str) -> None:
    """Flapping and worm: the two extremes of the drive, one above the other."""
    places, ahead = show(name).of(0)
    measure = ahead[60:, 0, 1] if name == "flapping" else np.linalg.norm(places[60:, 0] - places[60:, -1], axis=1)
    for k, lane in ((60 + int(measure.argmax()), 1.6), (60 + int(measure.argmin()), -1.6)):
        draw_body(axes, places[k] + (2.0, lane, 0.0), ahead[k])
    frame(axes, title, (-4.0, 4.0), (-3.6, 3.6))


def one_shape(axes: Any, name: str, title: str, view: tuple[int, int]) -> None:
    """Curl and coil: the last frame over some earlier ones."""
    places, ahead = show(name).of(0)
    middle = np.array([places[-1, :, view[0]].mean(), places[-1, :, view[1]].mean()])
    for k in (0, 21):
        draw_body(axes, places[k], ahead[k], view, alpha=GHOST)
    draw_body(axes, places[-1], ahead[-1], view, ACCENT)
    frame(axes, title, (middle[0] - 12.5, middle[0] + 12.5), (middle[1] - 8.0, middle[1] + 8.0))


def rearing(axes: Any) -> None:
    film = show("rearing")
    for animal, color, alpha in ((0, INK, GHOST), (1, ACCENT, 1.0)):
        places, ahead = film.of(animal)
        highest = int(places[:, 0, 2].argmax())
        draw_body(axes, places[highest], ahead[highest], SIDE, color, alpha)
    axes.axhspan(-3.0, 0.0, color="#b8a98f")
    frame(axes, "rearing: stiffening muscles lift higher", (-22.5, 2.5), (-3.0, 8.0))


def depth(axes: Any) -> None:
    film = show("depth")
    for animal, color in enumerate((ACCENT, INK, "#3e6e7c")):
        places, ahead = film.of(animal)
        axes.plot(*places[:, 0][:, SIDE].T, "-", color=color, lw=1.0)
        draw_body(axes, places[-1], ahead[-1], SIDE, color)
    frame(axes, "steering in depth: tops, none, bottoms 8 % shorter", (-6.0, 32.0), (5.0, 35.0))


def stiffening(axes: Any) -> None:
    film = show("stiffening")
    for animal, color in enumerate((INK, ACCENT)):
        places, ahead = film.of(animal)
        axes.plot(*places.mean(axis=1)[:, ABOVE].T, "-", color=color, lw=1.0)
        draw_body(axes, places[-1], ahead[-1], ABOVE, color)
    frame(axes, "soft (below), and soft but stiffening", (-19.0, 18.0), (-11.0, 11.0))


def main(file: str | None = None) -> None:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.0, 6.6), dpi=110, layout="constrained")
        panels = figure.subplot_mosaic([["flapping", "worm", "curl"], ["coil", "rearing", "rearing"],
                                        ["depth", "depth", "stiffening"]])  # fmt: skip
        two_moments(panels["flapping"], "flapping", "left against right: flapping")
        two_moments(panels["worm"], "worm", "left with right: worm")
        one_shape(panels["curl"], "curl", "left shorter: a C, from above", ABOVE)
        one_shape(panels["coil"], "coil", "top shorter: coiling up, from the side", SIDE)
        rearing(panels["rearing"])
        depth(panels["depth"])
        stiffening(panels["stiffening"])
        print(save(figure, "muscles.png", file), "shows", ", ".join(DEMONSTRATIONS))


if __name__ == "__main__":
    main(*sys.argv[1:2])
