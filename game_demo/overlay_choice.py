"""Which overlays the demo can show, and for which creatures: the selected one, or all when none is selected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..components.antennae import Antennae
from ..components.vision import VisionHandle, VisionSpec
from ..systems.render.output.world_lines import (
    draw_overlay_antennae,
    draw_overlay_contacts,
    draw_overlay_support,
    draw_overlay_vision,
    draw_overlay_water,
)
from . import theme
from .bodies import part_of, spec_of

if TYPE_CHECKING:
    from ..engine.creature import Creature
    from .session import Session


FAR_PIXELS = 20_000  # pygame takes no coordinates beyond 16 bits


@dataclass(frozen=True)
class OverlayKind:
    """One overlay: what the help page calls it, and what draws it (None: the picture itself does)."""

    help: str
    draw: Callable[[Any, Session], None] | None


def draw_overlays(screen: Any, session: Session) -> None:
    """Draw every overlay that is switched on."""
    for name, kind in OVERLAYS.items():
        if name in session.overlays and kind.draw is not None:
            kind.draw(screen, session)


def _shown(session: Session) -> Creature | None:
    creature = session.selected
    return creature if creature is not None and creature.in_world else None


def _antennae(screen: Any, session: Session) -> None:
    """Where the antennae feel; of the selected one also how much food each of them smells."""
    chosen = _shown(session)
    draw_overlay_antennae(screen, session.camera, session.world, chosen)
    antennae = None if chosen is None else part_of(chosen, Antennae)
    if antennae is None:
        return
    for (x, y), smell in zip(session.camera.to_screen(antennae.tip[:, :2]), antennae.food, strict=True):
        if abs(x) < FAR_PIXELS and abs(y) < FAR_PIXELS:
            theme.shadowed(screen, theme.words(f"{smell:.2f}", theme.GOOD, theme.SMALL, True), (int(x) + 8, int(y) - 7))


def _vision(screen: Any, session: Session) -> None:
    """The fans of creatures with eyes: the one they look for food in, and the two halves they watch their way with."""
    chosen = _shown(session)
    shown = session.world.creatures.values() if chosen is None else (chosen,)
    for creature in shown:
        eyes, spec = part_of(creature, VisionHandle), spec_of(creature, VisionSpec)
        if eyes is None or spec is None:
            continue
        angles = ((-spec.food_angle, spec.food_angle), (0.0, spec.alert_angle), (-spec.alert_angle, 0.0))
        ranges = (spec.food_range, *(min(float(distance), spec.alert_range) for distance in eyes.alert))
        draw_overlay_vision(screen, session.camera, session.world, creature, angles, ranges)


def _water(screen: Any, session: Session) -> None:
    draw_overlay_water(screen, session.camera, session.world)


def _contacts(screen: Any, session: Session) -> None:
    draw_overlay_contacts(screen, session.camera, session.world, _shown(session))
    draw_overlay_support(screen, session.camera, session.world, _shown(session))


def _triangles(screen: Any, session: Session) -> None:
    from ..systems.insect.insect_overlays import draw_overlay_triangles  # games without insects never load them

    draw_overlay_triangles(screen, session.camera, session.world, _shown(session))


def _trails(screen: Any, session: Session) -> None:
    from ..systems.insect.insect_overlays import draw_overlay_trails

    draw_overlay_trails(screen, session.camera, session.world)


OVERLAYS: dict[str, OverlayKind] = {
    "legs": OverlayKind("leg states", None),
    "antennae": OverlayKind("antenna fields", _antennae),
    "vision": OverlayKind("vision fans", _vision),
    "water": OverlayKind("water velocity", _water),
    "contacts": OverlayKind("contacts and support", _contacts),
    "triangles": OverlayKind("triangles that insects stand on", _triangles),
    "trails": OverlayKind("trails of ants", _trails),
    "wakes": OverlayKind("whirls behind swimmers", None),
}
