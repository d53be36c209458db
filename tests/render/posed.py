"""Posed animals for renderer tests: gait and proportions of the look study, no simulation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from paludarium.systems.myriapod.painter.group import MyriapodGroup
from paludarium.systems.myriapod.painter.herd import STYLE_CENTIPEDE, STYLE_MILLIPEDE
from paludarium.tests.render.palettes import appearance_row

PALETTE_NAMES = ("rust", "maroon", "olive", "black_millipede", "brown_millipede", "robot", "smooth")


@dataclass
class Herd:
    """Collects creatures row by row and hands out the columns."""

    spans: list = field(default_factory=list)
    style: list = field(default_factory=list)
    appearance: list = field(default_factory=list)
    position: list = field(default_factory=list)
    orientation: list = field(default_factory=list)
    extents: list = field(default_factory=list)
    leg_segment: list = field(default_factory=list)
    joints: list = field(default_factory=list)
    state: list = field(default_factory=list)
    antennae: list = field(default_factory=list)

    def creatures(self) -> MyriapodGroup:
        spans = np.array(self.spans, dtype=np.int64).reshape(-1, 6)
        return MyriapodGroup(
            *(spans[:, k].copy() for k in range(6)),
            style=np.array(self.style, dtype=np.int64),
            appearance=np.array(self.appearance, dtype=np.int64),
            creature=np.arange(len(self.spans)),
            segment_position=np.array(self.position).reshape(-1, 3),
            segment_orientation=np.array(self.orientation).reshape(-1, 4),
            segment_half_extents=np.array(self.extents).reshape(-1, 3),
            leg_segment=np.array(self.leg_segment, dtype=np.int64),
            leg_joints=np.array(self.joints).reshape(-1, 4, 3),
            leg_state=np.array(self.state, dtype=np.int64),
            antenna_points=np.array(self.antennae).reshape(-1, 13, 3),
            appearance_table=np.stack([appearance_row(name) for name in PALETTE_NAMES]),
        )


def body_line(count, pitch, at, heading, bend, wave=0.0, phase=0.0):
    """Head-first points and headings of a trunk that curves by `bend` rad per segment plus a sine."""
    points, headings = np.zeros((count, 2)), np.zeros(count)
    points[0] = at
    for i in range(count):
        headings[i] = heading + bend * i + wave * np.sin(0.45 * i + phase)
        if i:
            back = 0.5 * (headings[i] + headings[i - 1])
            points[i] = points[i - 1] - pitch * np.array([np.cos(back), np.sin(back)])
    return points, headings


def add_centipede(herd, at=(0.0, 0.0), heading=0.0, bend=0.05, count=20, time=0.0, palette="rust", ground=None, wave=0.0,
                  tucked=False, height=0.62, style=STYLE_CENTIPEDE):
    """A walking (or swimming, when tucked) centipede; `ground(x, y)` gives terrain height."""
    ground = ground or (lambda x, y: 0.0)
    points, headings = body_line(count, 1.46, at, heading, bend, wave, time * 4.0)
    first, first_leg, first_antenna = len(herd.position), len(herd.joints), len(herd.antennae)
    for i in range(count):
        z = ground(*points[i]) + height if not callable(height) else height(*points[i])
        herd.position.append((points[i, 0], points[i, 1], z))
        herd.orientation.append((np.cos(headings[i] / 2), 0.0, 0.0, np.sin(headings[i] / 2)))
        herd.extents.append((0.55, 0.92, 0.36))
        if i == 0:
            continue
        forward = np.array([np.cos(headings[i]), np.sin(headings[i])])
        for side in (1.0, -1.0):
            left = side * np.array([-forward[1], forward[0]])
            joints, state = _centipede_leg(points[i], z, forward, left, i, count, side, time, ground, tucked)
            herd.joints.append(joints)
            herd.state.append(state)
            herd.leg_segment.append(first + i)
    head = np.array([np.cos(headings[0]), np.sin(headings[0])])
    for side in (1.0, -1.0):
        herd.antennae.append(_antenna(points[0], herd.position[first][2], head, side, 12, 0.62, time, ground))
    herd.spans.append((first, count, first_leg, len(herd.joints) - first_leg, first_antenna, 2))
    herd.style.append(style)
    herd.appearance.append(PALETTE_NAMES.index(palette))


def _centipede_leg(point, z, forward, left, i, count, side, time, ground, tucked):
    along = i / (count - 1)
    reach = 2.45 * (0.88 + 0.34 * along)
    phase = (time * 1.4 + i / 6.5 + (0.5 if side < 0 else 0.0)) % 1.0
    swing = phase > 0.68
    stroke = 0.95 * (1.0 - 2.0 * phase / 0.68) if not swing else 0.95 * (-1.0 + 2.0 * (phase - 0.68) / 0.32)
    hip = point + 0.62 * left
    bias = 0.75 - 1.5 * along
    if tucked:
        tip = hip + 0.42 * left - 2.0 * forward
        lift = z - 0.1
    else:
        tip = hip + left * reach * 0.90 + forward * (stroke + bias)
        lift = ground(*tip) + (0.55 * np.sin(np.pi * (phase - 0.68) / 0.32) if swing else 0.0)
    d = tip - hip
    knee = hip + 0.36 * d + (0.52 - 0.8 * along) * forward * (0.0 if tucked else 1.0)
    ankle = hip + 0.74 * d + (0.30 - 0.5 * along) * forward * (0.0 if tucked else 1.0)
    up = 0.0 if tucked else 1.0
    joints = np.array([(*hip, z), (*knee, z + 0.75 * up), (*ankle, 0.5 * (z + lift) + 0.35 * up), (*tip, lift)])
    return joints, 6 if tucked else (0 if swing else 4)


def _antenna(point, z, head, side, links, length, time, ground):
    points = [(point[0] + 0.6 * head[0], point[1] + 0.6 * head[1], z + 0.2)]
    angle = np.arctan2(head[1], head[0]) + side * (0.55 + 0.12 * np.sin(2.0 * time + side))
    for k in range(links):
        angle -= side * 0.006 * k
        x, y, _ = points[-1]
        x, y = x + length * np.cos(angle), y + length * np.sin(angle)
        points.append((x, y, max(ground(x, y) + 0.15, z + 0.3 - 0.05 * k)))
    return np.array(points)


def add_millipede(herd, at=(0.0, 0.0), heading=0.0, bend=0.02, count=30, time=0.0, palette="black_millipede", coil=0.0,
                  wave=0.0, ground=None):
    """A walking or (coil > 0) spiralling millipede with one simulated leg pair per segment."""
    ground = ground or (lambda x, y: 0.0)
    first, first_leg, first_antenna = len(herd.position), len(herd.joints), len(herd.antennae)
    points, headings = np.zeros((count, 2)), np.zeros(count)
    points[0] = at
    for i in range(count):
        turn = bend + (coil / (1.0 + 0.055 * i) if coil else 0.0)
        headings[i] = heading if i == 0 else headings[i - 1] + turn + wave * np.cos(0.25 * i)
        if i:
            points[i] = points[i - 1] - 1.0 * np.array([np.cos(headings[i]), np.sin(headings[i])])
    for i in range(count):
        z = ground(*points[i]) + 0.6
        herd.position.append((*points[i], z))
        herd.orientation.append((np.cos(headings[i] / 2), 0.0, 0.0, np.sin(headings[i] / 2)))
        herd.extents.append((0.45, 0.80, 0.7))
        forward = np.array([np.cos(headings[i]), np.sin(headings[i])])
        for side in (1.0, -1.0):
            left = side * np.array([-forward[1], forward[0]])
            phase = 2 * np.pi * (time * 1.2 + i / 4.5)
            hip = points[i] + 0.45 * left
            tip = points[i] + (0.80 + 0.62 * (0.55 if coil else 1.0)) * left + 0.25 * np.sin(phase) * forward
            foot = ground(*tip) + max(0.0, 0.2 * np.cos(phase))
            mid = 0.5 * (hip + tip)
            herd.joints.append([(*hip, z), (*mid, z + 0.1), (*(0.25 * hip + 0.75 * tip), 0.5 * (z + foot)), (*tip, foot)])
            herd.state.append(4)
            herd.leg_segment.append(first + i)
    head = np.array([np.cos(headings[0]), np.sin(headings[0])])
    for side in (1.0, -1.0):
        short = _antenna(points[0], herd.position[first][2], head, side, 5, 0.34, time, ground)
        herd.antennae.append(np.vstack([short, np.full((7, 3), np.nan)]))
    herd.spans.append((first, count, first_leg, len(herd.joints) - first_leg, first_antenna, 2))
    herd.style.append(STYLE_MILLIPEDE)
    herd.appearance.append(PALETTE_NAMES.index(palette))
