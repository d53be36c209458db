"""Measuring a scene: warm-up apart, the fastest of several runs, time per system."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from .draw_scenes import DrawScene, measure_drawing
from .play_scenes import PlayScene, measure_playing
from .tick_scenes import Scene

Result = dict[str, Any]


def measure(scene: Scene | DrawScene | PlayScene, repeats: int, report: Callable[[str], None]) -> Result:
    """Figures of one scene: see `format_result` for their meaning."""
    if isinstance(scene, DrawScene):
        return measure_drawing(scene, repeats, report)
    if isinstance(scene, PlayScene):
        return measure_playing(scene, repeats, report)
    world = scene.build()
    report("warming up")
    world.step(scene.warm_up_ticks)
    best: Result = {}
    for _ in range(repeats):
        world.schedule.reset_timing()
        start = perf_counter()
        for _ in range(scene.ticks):
            if scene.each_tick is not None:
                scene.each_tick(world)
            world.step()
        seconds = (perf_counter() - start) / scene.ticks
        report("measuring")
        if not best or seconds * 1e6 < best["us_per_tick"]:
            best = _figures(world, scene, seconds)
    if scene.compare is not None:
        best.update(scene.compare(best))
    return best


def _figures(world: Any, scene: Scene, seconds: float) -> Result:
    population = len(world.creatures)
    factor = world.clock.tick_seconds / seconds
    return {
        "us_per_tick": seconds * 1e6,
        "steps_per_s": scene.substeps(world) / seconds,
        "realtime_factor": factor,
        "creatures": population * factor,
        "population": population,
        "systems": {entry.name: entry.nanoseconds / max(entry.calls, 1) / 1e3 for entry in world.schedule},
    }


def format_result(name: str, result: Result) -> str:
    """A small table: one line per system, then the scene as a whole."""
    lines = [f"{name}: {result['population']} creatures"]
    if "us_per_frame" in result:
        lines.append(
            f"  {'whole frame':<22} {result['us_per_frame']:10.1f} us/frame  ({result['frames_per_s']:.0f} frames/s)"
        )
        if "late" in result:
            lines.append(f"  {result['late']:.0%} of all frames took longer than 1/60 s")
        return "\n".join(lines)
    for system, microseconds in result["systems"].items():
        lines.append(f"  {system:<22} {microseconds:10.1f} us/tick  {microseconds / result['us_per_tick']:5.0%}")
    lines.append(f"  {'whole tick':<22} {result['us_per_tick']:10.1f} us/tick")
    lines.append(
        f"  {result['steps_per_s']:,.0f} body steps/s, {result['realtime_factor']:.2f} x real time, "
        f"{result['creatures']:,.0f} creatures in real time"
    )
    known = {"us_per_tick", "steps_per_s", "realtime_factor", "creatures", "population", "systems"}
    lines += [f"  {key}: {value:,.3f}" for key, value in result.items() if key not in known]
    return "\n".join(lines)
