"""Water: waves, light and foam of a tile at some hundred samples, `step` pixels apart, and spread along its rows.

Result planes: caustic gain, how much of the bed's light is kept, the light added by the surface (sky, glints, foam;
three planes), and the refraction offset in pixels (two planes). Samples lie on the edges of a tile as well: what two
tiles share is the same in both, so that no seam shows.

Samples are worked on plane by plane: loops that write one array run as vectors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ....engine.kernel import kernel
from ....engine.kernel_types import float32 as f32
from ....engine.kernel_types import int32, int64, uint32
from ....engine.work_counter import take_next
from ..creatures.primitive_fields import TILE_H, TILE_W
from ..raster.shade_kernel import CAUST, KEEP, SURF_R
from ..scene.camera import SMALLEST_SCALE
from ..scene.light import DEPTH_PER_BYTE, GLINT, SKY, SUN, TO_SUN, WATER_SKY
from .ripple_kernel import add_ripples, find_texels, mix_texels
from .wave_kernel import NODE_ROWS, NODE_STEP, between_nodes, wave_nodes

if TYPE_CHECKING:
    from ....engine.kernel_types import Array
    from ..raster.frame import WaterView

OFFSET_X, OFFSET_Y = 5, 6
WATER_PLANES = 7
# Planes of a thread's samples: the seven results first, then what they are made from.
SLOPE_X, SLOPE_Y, BEND, NET_1, NET_2, DEPTH = range(WATER_PLANES, WATER_PLANES + 6)
FADE = WATER_PLANES + 6  # four planes, see water_texture.depth_fades
FOAM, TOWARD, MIRROR = range(FADE + 4, FADE + 7)  # and a fourth one for the places of samples in the texture
NODE = FADE + 8  # three planes of tile nodes, one for a row of them
TEXELS = NODE + 4  # rows of texels
FINEST_STEP = 2  # px between samples; steps are 2, 4 or 8, which divide both sides of a tile
SAMPLE_ROWS = TILE_H // FINEST_STEP + 1
SAMPLES = (TILE_W // FINEST_STEP + 1) * SAMPLE_ROWS  # one per step, and the far edge

WAVE_GAIN = f32(7.0)  # slope of the simulated surface, exaggerated to be seen from above [look 4]
SLOPE_LIMIT = f32(0.55)  # n / (1 + 0.55 |n|): no white slabs [look 4]
REFRACTION = f32(0.44)  # px of bed offset per slope, unit of depth and px per unit [look 4]
DEEPEST_REFRACTION = f32(1.6)  # units [look 4]
FINE, FINER = 7.5, 10.5  # texels per unit of the two samples of the water texture
TEXEL_PLANES = math.ceil(4 * (FINER * TILE_W / SMALLEST_SCALE + 3) / SAMPLES)  # for the longest row of texels in a tile
SAMPLE_PLANES = TEXELS + 2 * TEXEL_PLANES
FOCUS = f32(1.1)  # light gathered on the bed per curvature of the surface
BRIGHTEST_GLINT = f32(0.9)  # of the sun's light, in the steepest slope; a wake is no mirror
CREST, CREST_GAIN, MOST_CREST = f32(0.55), f32(0.55), f32(0.62)  # per unit: curvature from which a crest breaks


@kernel(refcount=False)
def drifts(time: float) -> tuple[float, float, float, float, float]:
    """Return the texel offsets of the two samples at a time, each kept small, and the swash phase."""
    return (
        f32((9.0 * time) % 256.0), f32((5.0 * time) % 256.0), f32((-8.0 * time) % 256.0), f32((10.0 * time) % 256.0),
        f32((1.6 * time) % math.pi),
    )  # fmt: skip


@kernel(refcount=False, inline=True)
def sample_depth(own: Array, left: int, step: int, n: int, fades: Array, unit: float, s: Array, k: int) -> None:
    """Update depth (`unit` per byte) and what depends on it of n samples along a row of packed pixels, from sample k on.

    Depth is a mean over four pixels, for it was rounded differently in each of them.
    """
    last, byte = own.size - 1, uint32(24)
    for column in range(n):
        x = min(left + column * step, last)
        four = (own[max(x - 2, 0)] >> byte) + (own[max(x - 1, 0)] >> byte)
        four += (own[x] >> byte) + (own[min(x + 1, last)] >> byte)
        deep, part = f32(int32(max(four, uint32(4)))) * f32(0.25), f32(int32(four & uint32(3))) * f32(0.25)
        low, high = fades[int32(deep)], fades[min(int32(deep) + 1, 255)]
        s[DEPTH, k + column] = deep * unit
        for j in range(4):
            s[FADE + j, k + column] = low[j] + (high[j] - low[j]) * part


@kernel(refcount=False)
def take_samples(background: Array, water: WaterView, light: Array, left: int, top: int, across: int, down: int,
                 s: Array) -> None:  # fmt: skip
    """Update the source planes of s at down x across places of a tile: waves, two drifting texture samples, depth."""
    texture, fades, step = water.texture, water.fades, water.step
    unit, per = 1.0 / water.scale, NODE_STEP // step
    column, row_down, other_row, other_column, _ = drifts(water.time)
    places, mixed = s[FOAM : FOAM + 4], s[NODE + 3]  # four planes that are only needed for light
    texels, other = s[TEXELS : TEXELS + TEXEL_PLANES].reshape(-1), s[TEXELS + TEXEL_PLANES :].reshape(-1)
    # the second sample has its axes swapped; it reads the turned copy, along memory and not across it
    first = find_texels(water, left, across, f32(FINE), column, places[0], places[1])
    second = find_texels(water, left, across, f32(FINER), other_column, places[2], places[3])
    count, count_2 = int64(places[0, across - 1]) + 2, int64(places[2, across - 1]) + 2
    for row in range(down):
        k, pixel_y = row * across, top + row * step
        y = f32(-(water.picture_y + pixel_y) * unit)
        mix_texels(texture[0], -f32(FINE) * y + row_down, first, count, texels)
        mix_texels(texture[1], f32(FINER) * y + other_row, second, count_2, other)
        node_row = min(row // per, NODE_ROWS - 2)
        b = f32(row - node_row * per) / f32(per)
        x_row, y_row, bend = s[SLOPE_X, k : k + across], s[SLOPE_Y, k : k + across], s[BEND, k : k + across]
        between_nodes(s[NODE], node_row, b, WAVE_GAIN, per, mixed, x_row)
        between_nodes(s[NODE + 1], node_row, b, WAVE_GAIN, per, mixed, y_row)
        between_nodes(s[NODE + 2], node_row, b, f32(1.0), per, mixed, bend)
        add_ripples(texels, other, across, places, x_row, y_row, s[NET_1, k : k + across], s[NET_2, k : k + across])
        own = background[min(pixel_y, background.shape[0] - 1)]
        sample_depth(own, left, step, across, fades, light[DEPTH_PER_BYTE], s, k)


@kernel(refcount=False)
def limit_slopes(x: Array, y: Array, factor: Array) -> None:
    """Update slopes so that steep ones grow ever more slowly; factor is scratch."""
    for k in range(x.size):
        factor[k] = f32(1.0) / (f32(1.0) + SLOPE_LIMIT * math.sqrt(x[k] * x[k] + y[k] * y[k]))
    for k in range(x.size):
        x[k] *= factor[k]
    for k in range(x.size):
        y[k] *= factor[k]


@kernel(refcount=False)
def bend_light(slope: Array, depth: Array, scale: float, offset: Array) -> None:
    """Update the refraction offset (px) along one axis."""
    for k in range(offset.size):
        offset[k] = -slope[k] * REFRACTION * min(depth[k], DEEPEST_REFRACTION) * scale


@kernel(refcount=False)
def light_net(net_1: Array, net_2: Array, bend: Array, deep: Array, gain: Array, out: Array) -> None:
    """Update the caustic gain: two drifting nets, and what troughs and crests gather."""
    for k in range(out.size):
        net = (f32(0.8) * net_1[k] + f32(0.5) * net_2[k] - f32(0.10)) * gain[k] - FOCUS * bend[k] * deep[k]
        out[k] = min(max(f32(1.0) + net, f32(0.55)), f32(2.4))


@kernel(refcount=False)
def foam_cover(net_1: Array, net_2: Array, bend: Array, depth: Array, shore: Array, swash: Array, phase: float,
               out: Array) -> None:  # fmt: skip
    """Update the share of foam: the shore line, swash lines that run up it, crests that break; torn by the nets."""
    for k in range(out.size):
        turn = (f32(9.0) * depth[k] - phase + f32(2.4) * net_2[k]) * f32(1.0 / math.pi)
        turn -= np.floor(turn)
        line = f32(4.0) * turn * (f32(1.0) - turn)  # a parabola for the sine: narrow crests either way
        line *= line
        line = line * line * line
        torn = f32(0.55) * net_1[k] + f32(0.35) * net_2[k]
        broken = min(max(f32(0.75) + torn, f32(0.25)), f32(1.3))
        crest = min(max(-bend[k] - CREST, f32(0.0)) * CREST_GAIN, MOST_CREST)
        lace = min(max(f32(0.42) + f32(1.5) * torn, f32(0.0)), f32(1.3))
        out[k] = min((shore[k] + line * swash[k]) * broken + crest * lace, f32(0.92))


@kernel(refcount=False)
def mirrored(x: Array, y: Array, foam: Array, sun_x: float, sun_y: float, toward: Array, out: Array) -> None:
    """Update toward (slope towards the sun) and the share of sky that the surface mirrors."""
    for k in range(out.size):
        toward[k] = x[k] * sun_x + y[k] * sun_y
    for k in range(out.size):
        sky = (f32(0.03) + f32(0.30) * (x[k] * x[k] + y[k] * y[k]) + f32(0.10) * toward[k]) * (f32(1.0) - foam[k])
        out[k] = min(max(sky, f32(0.0)), f32(0.6))


@kernel(refcount=False)
def glints(toward: Array, net: Array, gain: float, out: Array) -> None:
    """Update the light of the sun in slopes towards it: broken by ripples, and ever slower to grow where it is strong."""
    for k in range(out.size):
        glint = max(toward[k] - f32(0.30), f32(0.0)) * f32(2.0)
        glint *= glint
        sparkle = min(max(f32(0.40) + f32(0.9) * net[k], f32(0.15)), f32(1.6))
        out[k] = gain * sparkle * BRIGHTEST_GLINT * glint / (BRIGHTEST_GLINT + glint)


@kernel(refcount=False)
def surface_light(foam: Array, glint: Array, mirror: Array, sky: float, sun: float, white: float, out: Array) -> None:
    """Update one channel of the light that the surface adds: mirrored sky, glints, foam."""
    for k in range(out.size):
        out[k] = sky * mirror[k] + sun * glint[k] * (f32(1.0) - foam[k]) + white * foam[k]


@kernel(refcount=False)
def light_samples(n: int, light: Array, scale: float, phase: float, s: Array) -> None:
    """Update the seven result planes of the first n samples from their source planes."""
    x, y, bend, net_1, net_2, depth = s[SLOPE_X, :n], s[SLOPE_Y, :n], s[BEND, :n], s[NET_1, :n], s[NET_2, :n], s[DEPTH, :n]
    foam, toward, mirror, keep = s[FOAM, :n], s[TOWARD, :n], s[MIRROR, :n], s[KEEP, :n]
    limit_slopes(x, y, mirror)
    bend_light(x, depth, scale, s[OFFSET_X, :n])
    bend_light(y, depth, scale, s[OFFSET_Y, :n])
    light_net(net_1, net_2, bend, s[FADE, :n], s[FADE + 1, :n], s[CAUST, :n])
    foam_cover(net_1, net_2, bend, depth, s[FADE + 2, :n], s[FADE + 3, :n], phase, foam)
    mirrored(x, y, foam, light[TO_SUN], light[TO_SUN + 1], toward, mirror)
    for k in range(n):
        keep[k] = (f32(1.0) - mirror[k]) * (f32(1.0) - foam[k])
    glints(toward, net_1, light[GLINT], toward)
    for c in range(3):
        white = f32(0.80) * (light[SUN + c] * f32(0.70) + light[SKY + c])
        surface_light(foam, toward, mirror, light[WATER_SKY + c], light[SUN + c], white, s[SURF_R + c, :n])


@kernel(refcount=False, inline=True)
def widen_row(samples: Array, step: int, out: Array) -> None:
    """Update out, a row of pixels, from samples every `step` pixels, the first one on its edge."""
    if step == 4:  # the usual step, written out: it runs as vectors
        for k in range(out.size // 4):
            low, rise = samples[k], samples[k + 1] - samples[k]
            out[4 * k] = low + rise * f32(0.125)
            out[4 * k + 1] = low + rise * f32(0.375)
            out[4 * k + 2] = low + rise * f32(0.625)
            out[4 * k + 3] = low + rise * f32(0.875)
        return
    share = f32(1.0) / f32(step)
    for k in range(out.size // step):
        low, rise = samples[k], (samples[k + 1] - samples[k]) * share
        for x in range(step):
            out[k * step + x] = low + rise * (f32(x) + f32(0.5))


@kernel(refcount=False)
def water_tile(t: int, tiles_x: int, background: Array, water: WaterView, light: Array, s: Array, wide: Array) -> None:
    """Update wide, the result planes of one tile: rows of pixels, one per row of samples; offsets if there is refraction."""
    left, top, step = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H, water.step
    across, down = TILE_W // step + 1, TILE_H // step + 1
    wave_nodes(water, left, top, s[FOAM], s[TEXELS : TEXELS + 3], s[NODE], s[NODE + 1], s[NODE + 2])
    take_samples(background, water, light, left, top, across, down, s)
    _, _, _, _, swash = drifts(water.time)
    light_samples(across * down, light, f32(water.scale), swash, s)
    for plane in range(WATER_PLANES if water.refraction else OFFSET_X):
        for row in range(down):
            widen_row(s[plane, row * across : (row + 1) * across], step, wide[plane, row])


@kernel()
def find_wet_tiles(background: Array, tiles_x: int, wet: Array, _seat: int, taken: Array) -> None:
    """Update wet with whether a tile, widened by two pixels, has any water."""
    rows, columns = background.shape
    t = take_next(taken)
    while t < wet.size:
        left, top = (t % tiles_x) * TILE_W, (t // tiles_x) * TILE_H
        found = uint32(0)
        for y in range(max(top - 2, 0), min(top + TILE_H + 2, rows)):
            for packed in background[y, max(left - 2, 0) : min(left + TILE_W + 2, columns)]:
                found |= packed
        wet[t] = found >= uint32(0x01000000)
        t = take_next(taken)
