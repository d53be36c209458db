"""Pictures of a training: the objective over generations, and a clip of the best with the whirls behind it."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from ..engine.files import written_whole
from ..lab.articulated.training.search import SwimTask
from .sweep_plots import ACCENT, DOTS, INK, STYLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..engine.pool import Array
    from ..lab.articulated.space.space_trial import Swim
    from ..lab.articulated.training.bench import Bench
    from ..lab.articulated.training.course import Course

TICKS_PER_FRAME = 3
CYCLES = 3
WORST_SHOWN = 1.5
"""Of the objective: first draws are far worse."""


def draw_convergence(course: Course, file: Path) -> Path:
    """Save the best and the median of every generation."""
    with mpl.rc_context(cast(Any, STYLE)):
        figure = Figure(figsize=(6.4, 3.6), dpi=DOTS, layout="constrained")
        axes = figure.subplots()
        axes.plot(np.minimum(course.middle, WORST_SHOWN), color=INK, lw=0.8, label="median")
        axes.plot(np.minimum(course.history, WORST_SHOWN), color=ACCENT, lw=1.6, label="best")
        for at, name in course.marks:
            axes.axvline(at, color=INK, lw=0.5, ls=":")
            axes.annotate(name, (at + 0.3, axes.get_ylim()[1]), fontsize=7, va="top", rotation=90)
        axes.legend(frameon=False)
        axes.set_title(f"{course.species.key}, {course.manoeuvre}, seed {course.seed}")
        axes.set(xlabel="generation", ylabel="objective")
        held = BytesIO()
        figure.savefig(held, format="png")
    with written_whole(file) as output:
        output.write(held.getvalue())
    return file


def draw_clip(course: Course, file: Path) -> Path:
    """Save some cycles of the best from rest: links, and whirls to the left red, to the right blue.

    What swims in space is seen from above and, below that, from its right side.
    """
    from PIL import Image

    pictures = frames_in_plane(course) if isinstance(course.task, SwimTask) else frames_in_space(course)
    frames = [Image.fromarray(picture) for picture in pictures]
    held = BytesIO()
    frames[0].save(held, format="GIF", save_all=True, append_images=frames[1:], duration=50, loop=0)
    with written_whole(file) as output:
        output.write(held.getvalue())
    return file


def frames_in_plane(course: Course) -> Iterator[Array]:
    """Pictures of the window of the best."""
    assert course.best is not None
    assert isinstance(course.task, SwimTask)
    bench = course.task.bench()
    bench.teach("turn_left" if course.task.turning else "straight", course.best)
    bench.begin(steer=1.0 if course.task.turning else 0.0)
    for _ in range(CYCLES * 60 // TICKS_PER_FRAME):
        bench.swim(TICKS_PER_FRAME)
        yield frame_of(bench)


def frames_in_space(course: Course) -> Iterator[Array]:
    """Pictures of the box of the best."""
    from ..lab.articulated.space.space_trial import Swim

    assert course.best is not None
    assert not isinstance(course.task, SwimTask)
    swim = Swim(course.task.body, course.task.basin)
    for _ in range(CYCLES * 60 // TICKS_PER_FRAME):
        swim.cycles(TICKS_PER_FRAME / 60, course.best)
        yield frame_of_box(swim)


def frame_of(bench: Bench) -> Array:
    """(h, w, 3) the window of a bench as a picture."""
    fluid = bench.windows.arrays
    cell, origin = float(fluid.cell[0]), fluid.origin[0]
    u, v = np.asarray(fluid.u[0]), np.asarray(fluid.v[0])
    whirl = (v[1:-1, 2:] - v[1:-1, 1:-1] - u[2:, 1:-1] + u[1:-1, 1:-1]) / cell
    figure = Figure(figsize=(4.8, 4.8 * whirl.shape[0] / whirl.shape[1]), dpi=80)
    canvas, axes = FigureCanvasAgg(figure), figure.add_axes((0.0, 0.0, 1.0, 1.0))
    right, top = origin + cell * np.array([whirl.shape[1], whirl.shape[0]])
    axes.imshow(whirl, origin="lower", extent=(origin[0], right, origin[1], top), cmap="RdBu_r", vmin=-12, vmax=12)
    for front, rear, (r0, r1) in bench.outlines():
        draw_link(axes, front, rear, r0, r1)
    axes.set(xlim=(origin[0], right), ylim=(origin[1], top), xticks=[], yticks=[])
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def draw_link(axes: Any, front: Array, rear: Array, r0: float, r1: float, *, rounded: bool = True) -> None:
    """A link as a tapered bar, seen along an axis; in the plane its ends are round."""
    axis = (front - rear) / max(float(np.linalg.norm(front - rear)), 1e-12)
    left = np.array([-axis[1], axis[0]])
    axes.fill(*np.array([front + r0 * left, rear + r1 * left, rear - r1 * left, front - r0 * left]).T, color=INK)
    if rounded:
        axes.add_patch(Circle(tuple(front), r0, color=INK))
        axes.add_patch(Circle(tuple(rear), r1, color=INK))


def frame_of_box(swim: Swim) -> Array:
    """(h, w, 3) a box from above and from the side, each with the whirls of its middle slice."""
    from ..systems.articulated.space.box_arrays import field

    box, state, body = swim.box, swim.state, swim.body
    dx, low = box.dx, box.origin
    figure = Figure(figsize=(4.8, 4.8), dpi=80)
    canvas = FigureCanvasAgg(figure)
    aside = np.asarray(body.aside)[:, None] * state.axes[:, 1]
    front = state.joints + aside
    rear = front - np.asarray(body.length)[:, None] * state.axes[:, 0]
    for place, (across, other, velocity) in enumerate(((1, 2, "v"), (2, 1, "w"))):
        axes = figure.add_axes((0.0, 0.505 - 0.505 * place, 1.0, 0.495))
        middle = int(box.cells[other]) // 2
        u, v = (np.take(field(box, name), middle, axis=other) for name in ("u", velocity))
        whirl = ((v[1:-1, 1:-1] - v[:-2, 1:-1]) - (u[1:-1, 1:-1] - u[1:-1, :-2])).T / dx
        right, top = low[0] + dx * box.cells[0], low[across] + dx * box.cells[across]
        axes.imshow(whirl, origin="lower", extent=(low[0], right, low[across], top), cmap="RdBu_r", vmin=-12, vmax=12)
        radius = np.asarray(body.width if across == 1 else body.height)
        for k in np.flatnonzero(np.asarray(body.length) > 0.0):
            draw_link(axes, front[k, [0, across]], rear[k, [0, across]], *radius[k], rounded=False)
        axes.set(xlim=(low[0], right), ylim=(low[across], top), xticks=[], yticks=[])
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
