"""Gaits and surrogates as tables of a species file: what a search prints, or writes into the file itself."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import numpy as np

from ....components.articulated.manoeuvres import HALF, warp_of
from ....engine.errors import PaludariumError
from ....engine.file_reading import read_limited
from ....engine.files import written_whole
from ....engine.species import LARGEST_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from ....components.articulated.surrogate import SurrogateSpec
    from ....engine.pool import Array
    from .steady import Steady

WITH_UNIT = {"build_up": "build_up_s", "wake_width": "wake_width_lengths"}
"""Keys that say their unit in a file."""
SMALL = 5e-4
"""rad: a joint that moves less stands still, and what turns less per second goes straight."""


def numbers(values: Array, digits: int = 2) -> str:
    """A list of numbers, short."""
    return "[" + ", ".join(f"{float(v):.{digits}f}".replace("-0.00", "0.00") for v in values) + "]"


def manoeuvre_table(name: str, sines: Array, period: float, steady: Steady, found_by: str) -> str:
    """A ``[[manoeuvres]]`` table from (3, links) sines and what they settle at. Rounded down to within joint limits."""
    amplitude = np.degrees(np.hypot(sines[0], sines[1]))[1:]
    phase = np.degrees(np.arctan2(sines[1], sines[0]))[1:]
    still = amplitude < np.degrees(SMALL)
    phase = np.where(still, 0.0, phase)
    offset = np.trunc(np.degrees(sines[2, 1:]) * 100.0) / 100.0
    cut = np.abs(np.degrees(sines[2, 1:]) - offset)
    amplitude = np.floor(np.maximum(np.where(still, 0.0, amplitude) - cut, 0.0) * 100.0) / 100.0
    power, glide = warp_of(sines)
    lines = ["[[manoeuvres]]", f'name = "{name}"', f"amplitude_deg = {numbers(amplitude)}", f"phase_deg = {numbers(phase)}"]
    if np.abs(offset).max(initial=0.0) > 0.0:
        lines.append(f"offset_deg = {numbers(offset)}")
    if name == "straight" and (power, glide) != (HALF, 0.0):
        lines += [f"power_share = {power:.3f}", f"glide_share = {glide:.3f}"]
    lines += [f"period_s = {period:g}", *measured_lines(name, steady), f'found_by = "{found_by}"']
    return "\n".join(lines) + "\n"


def measured_lines(name: str, steady: Steady) -> list[str]:
    """What a gait settles at and its cycle, as lines of its table."""
    lines = [f"speed_lengths_per_s = {steady.speed:.4f}"]
    if name != "straight":
        lines.append(f"yaw_deg_per_s = {np.degrees(steady.yaw):.2f}")
    if abs(steady.pitch) > SMALL:
        lines.append(f"pitch_deg_per_s = {np.degrees(steady.pitch):.2f}")
    lines.append(f"power_w_per_kg = {steady.power:.4f}")
    rows = [", ".join(f"{value:.3f}".replace("-0.000", "0.000") for value in row) for row in steady.cycle]
    return [*lines, "cycle = [", *(f"    {row}," for row in rows), "]"]


def with_measured(text: str, found: dict[str, Steady]) -> str:
    """The text of a species file whose manoeuvres have other measured values; strokes and who found them stay.

    Example::

        text = with_measured(file.read_text(), steady_of(species))
    """
    parts = re.split(r"(?m)^(?=\[)", text)
    for i, part in enumerate(parts):
        name = re.search(r'^name = "(\w+)"', part, re.MULTILINE)
        if part.startswith("[[manoeuvres]]") and name and name[1] in found:
            kept = re.sub(r"(?m)^(speed_lengths_per_s|yaw_deg_per_s|pitch_deg_per_s|power_w_per_kg) = .*\n", "", part)
            kept = re.sub(r"(?ms)^cycle = \[.*?^\]\n", "", kept)
            lines = "\n".join(measured_lines(name[1], found[name[1]])) + "\n"
            head, period, rest = re.split(r"(?m)^(period_s = .*\n)", kept, maxsplit=1)
            parts[i] = head + period + lines + rest
    return "".join(parts)


def surrogate_table(spec: SurrogateSpec, keys: tuple[str, ...], fitted_to: str) -> str:
    """A ``[surrogate]`` table with the numbers that were fitted."""
    lines = [f"{WITH_UNIT.get(key, key)} = {getattr(spec, key):g}" for key in keys]
    return "\n".join(["[surrogate]", *lines, f"settle_s = {spec.settle:g}", f'fitted_to = "{fitted_to}"']) + "\n"


def with_table(text: str, table: str) -> str:
    """The text of a species file with a table in the place of the one that it had, or behind the last of its kind.

    >>> print(with_table("[servo]\\nlength_u = 1.0\\n", "[surrogate]\\nadded_mass = 1\\n"))
    [servo]
    length_u = 1.0
    <BLANKLINE>
    [surrogate]
    added_mass = 1
    <BLANKLINE>
    """
    head, name = table.split("\n", 1)[0], re.search(r'^name = "(\w+)"', table, re.MULTILINE)
    parts = re.split(r"(?m)^(?=\[)", text)
    kind = [i for i, part in enumerate(parts) if part.split("\n", 1)[0].strip() == head]
    own = re.compile(rf'^name = "{name[1]}"' if name else "", re.MULTILINE)
    same = [i for i in kind if own.search(parts[i])]
    if same:
        parts[same[0]] = table + "\n"
    elif kind:
        parts.insert(kind[-1] + 1, table + "\n")
    else:
        before = [i for i, part in enumerate(parts) if part.startswith("[vision]")]
        if not before:
            parts[-1] = parts[-1].rstrip("\n") + "\n\n"
        parts.insert(before[0] if before else len(parts), table + "\n")
    return "".join(parts).rstrip("\n") + "\n"


def write_table(file: Path, table: str, measured: dict[str, Steady] | None = None) -> None:
    """Exchange or add one table of a species file, and what manoeuvres were measured at, whole or not at all."""
    before = read_limited(file, LARGEST_FILE, PaludariumError)
    try:
        text = with_measured(with_table(before.decode("utf-8"), table), measured or {})
        tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise PaludariumError(f"{file}: the table does not fit into it ({problem}); nothing was changed") from None
    with written_whole(file) as output:
        output.write(text.encode())
