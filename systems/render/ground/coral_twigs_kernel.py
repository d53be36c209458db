"""Growths made of twigs: branching corals, fans, starfish, and the foot of an anemone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.growths import HEADING, HEIGHT, RADIUS, SEED, X, Y
from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from .coral_domes_kernel import colour_of
from .coral_stamp_kernel import darker, mixed, paler, stamp_twig
from .picture_noise_kernel import random01

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from .land import Land

TWIG_X, TWIG_Y, TWIG_TURN, TWIG_LEVEL, TWIG_FAR = range(5)  # of a twig: its foot, its angle, how far from the root
TWIG_FIELDS = 5
MOST_TWIGS = 1024  # in one coral
SMALLEST_TWIG = 0.7  # px long; shorter ones are left out
ARMS, KNOBS = 5, 7  # of a starfish, and of each arm
TWIG_WIDTHS = 0.80 ** np.arange(6)  # a table, because powers of whole numbers may raise
TWIG_LENGTHS = np.array([[0.40, 0.27, 0.21, 0.16, 0.12], [0.46, 0.38, 0.32, 0.27, 0.22]])  # radii, by level


@kernel()
def put_branches(region: tuple[Land, tuple[float, float], Array, Array], growth: Array, base: float, fan: bool) -> None:
    """Update a region with a branching coral; a fan grows to one side, finer, and stands up."""
    radius, tall, seed, colour = growth[RADIUS], growth[HEIGHT], int(growth[SEED]) & 0xFFFFF, colour_of(growth)
    low, high = darker(colour, f32(0.50)), paler(colour, f32(0.46))
    limbs = 5 if fan else 7 + int(2.99 * random01(seed, 0, 21))
    levels = 5
    form = 1 if fan else 0
    twigs, n = np.empty((MOST_TWIGS, TWIG_FIELDS)), 0
    root_x, root_y = growth[X], growth[Y]
    if fan:
        root_x -= 0.8 * radius * math.cos(growth[HEADING])
        root_y -= 0.8 * radius * math.sin(growth[HEADING])
    for k in range(limbs):
        turn = growth[HEADING] + (0.42 * (k - 2.0) if fan else 6.2832 * (k + 0.35 * random01(seed, k, 22)) / limbs)
        twigs[n, TWIG_X], twigs[n, TWIG_Y], twigs[n, TWIG_TURN] = root_x, root_y, turn
        twigs[n, TWIG_LEVEL], twigs[n, TWIG_FAR] = 0.0, 0.0
        n += 1
    done = 0
    while done < n:
        x, y, turn = twigs[done, TWIG_X], twigs[done, TWIG_Y], twigs[done, TWIG_TURN]
        level, far = int(twigs[done, TWIG_LEVEL]), twigs[done, TWIG_FAR]
        length = radius * TWIG_LENGTHS[form, level] * (0.78 + 0.44 * random01(seed, done, 23))
        if fan:
            turn += 0.25 * (random01(seed, done, 27) - 0.5)
        qx, qy, out = x + length * math.cos(turn), y + length * math.sin(turn), far + length
        thick = radius * (0.060 if fan else 0.082)
        radii = (thick * TWIG_WIDTHS[level], thick * TWIG_WIDTHS[level + 1])
        reach = (1.6 if fan else 1.0) * radius
        rise_a, rise_b = min(far / reach, 1.0), min(out / reach, 1.0)
        if fan:
            za, zb = base + tall * (0.35 + 0.65 * rise_a), base + tall * (0.35 + 0.65 * rise_b)
        else:
            za, zb = base + tall * (0.45 + 0.5 * rise_a), base + tall * (0.45 + 0.5 * rise_b)
        colours = (mixed(low, high, f32(rise_a * rise_a)), mixed(low, high, f32(rise_b * rise_b)))
        stamp_twig(region, (x, y, za), (qx, qy, zb), radii, colours)
        if level + 1 < levels and length * region[0].scale > SMALLEST_TWIG:
            fork = 0.34 + 0.26 * random01(seed, done, 24)
            for side in range(2):
                if n == MOST_TWIGS or (level > 1 and random01(seed, done, 25 + side) < f32(0.10)):
                    continue
                twigs[n, TWIG_X], twigs[n, TWIG_Y], twigs[n, TWIG_LEVEL], twigs[n, TWIG_FAR] = qx, qy, level + 1.0, out
                twigs[n, TWIG_TURN] = turn + (fork if side == 0 else -fork)
                n += 1
        done += 1


@kernel(refcount=False)
def put_starfish(region: tuple[Land, tuple[float, float], Array, Array], growth: Array, base: float) -> None:
    """Update a region with five arms, each with a row of knobs."""
    radius, tall, seed, colour = growth[RADIUS], growth[HEIGHT], int(growth[SEED]) & 0xFFFFF, colour_of(growth)
    dark, pale = darker(colour, f32(0.55)), paler(colour, f32(0.40))
    for arm in range(ARMS):
        turn = growth[HEADING] + 6.2832 * (arm + 0.18 * (random01(seed, arm, 31) - 0.5)) / ARMS
        bend = 0.5 * (random01(seed, arm, 32) - 0.5)
        x, y, thick = growth[X], growth[Y], 0.27
        for link in range(3):
            angle, nextthick = turn + bend * link / 2.0, (0.19, 0.125, 0.05)[link]
            qx, qy = x + 0.31 * radius * math.cos(angle), y + 0.31 * radius * math.sin(angle)
            za, zb = base + tall * (0.5 - 0.15 * link), base + tall * (0.35 - 0.15 * link)
            stamp_twig(region, (x, y, za), (qx, qy, zb), (thick * radius, nextthick * radius), (colour, dark))
            x, y, thick = qx, qy, nextthick
    for arm in range(ARMS):
        turn = growth[HEADING] + 6.2832 * (arm + 0.18 * (random01(seed, arm, 31) - 0.5)) / ARMS
        bend = 0.5 * (random01(seed, arm, 32) - 0.5)
        for k in range(KNOBS):
            far = radius * (0.10 + 0.115 * k)
            angle = turn + 0.5 * bend * k / KNOBS
            x, y = growth[X] + far * math.cos(angle), growth[Y] + far * math.sin(angle)
            size = radius * (0.052 - 0.0045 * k)
            z = base + tall * (1.25 - 0.10 * k) + 0.12 * radius
            stamp_twig(region, (x, y, z), (x, y, z), (size, size), (pale, pale))


@kernel(refcount=False)
def put_foot(region: tuple[Land, tuple[float, float], Array, Array], growth: Array, base: float) -> None:
    """Update a region with the dark body that the arms of an anemone stand on."""
    radius, colour = growth[RADIUS], colour_of(growth)
    at = (growth[X], growth[Y], base - 0.25 * radius)
    shade = darker(colour, f32(0.28))
    stamp_twig(region, at, at, (0.55 * radius, 0.55 * radius), (shade, shade))
