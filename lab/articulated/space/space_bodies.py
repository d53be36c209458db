"""Bodies in space by name: the species that ship, and those of the publication, which are for measurements alone.

`assets/bodies` has files with the same tables as `assets/species`; the demo does not list them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....components.articulated.link_plan import BodyPlan, plan_of
from ....components.articulated.links import LinkSpec
from ....components.articulated.manoeuvres import ManoeuvreSpec, sines_of
from ....components.articulated.servo import ServoSpec
from ....engine.errors import SpeciesError, one_of
from ....engine.parts import SpecProblem
from ....engine.spec import read_table
from ....engine.species import as_written, read_toml

if TYPE_CHECKING:
    from ....engine.pool import Array

ASSETS = Path(__file__).resolve().parents[3] / "assets"
FOLDERS = (ASSETS / "bodies", ASSETS / "species")


@dataclass(frozen=True)
class Body:
    """Links, servos and manoeuvres of a file."""

    name: str
    file: Path
    plan: BodyPlan
    servo: ServoSpec
    manoeuvres: dict[str, ManoeuvreSpec]

    def sines(self, manoeuvre: str = "straight") -> Array:
        """(3, links) a, b and C of a manoeuvre that was found."""
        if manoeuvre not in self.manoeuvres:
            raise SpeciesError(str(self.file), "manoeuvres", "name", manoeuvre, one_of(manoeuvre, self.manoeuvres))
        return sines_of(self.manoeuvres[manoeuvre], self.plan)


def load_body(name: str | Path) -> Body:
    """The body of that name, or of a file.

    Example::

        fish = load_body("fish_3d")
        fish.plan.joints            # 3
    """
    file = Path(name) if str(name).endswith(".toml") else _file_of(str(name))
    tables = read_toml(file)
    links = tuple(_tables(LinkSpec, tables, "links", file))
    found = _tables(ManoeuvreSpec, tables, "manoeuvres", file)
    servo = read_table(ServoSpec, tables.get("servo", {}), str(file), "servo", SpeciesError)
    try:
        plan = plan_of(links)
        for one in found:
            one.check({"links": links, "manoeuvres": found})
    except SpecProblem as problem:
        value = as_written(problem.key, problem.value)
        raise SpeciesError(str(file), "links or manoeuvres", problem.key, value, problem.allowed) from None
    return Body(file.stem, file, plan, servo, {one.name: one for one in found})


def _file_of(name: str) -> Path:
    known = {file.stem: file for folder in reversed(FOLDERS) for file in sorted(folder.glob("*.toml"))}
    if name not in known:
        raise SpeciesError("bodies", "", "", name, one_of(name, known))
    return known[name]


def _tables(kind: type[Any], tables: dict[str, Any], name: str, file: Path) -> list[Any]:
    """The specs of a repeated table."""
    found = tables.get(name, [])
    if not isinstance(found, list) or (name == "links" and not found):
        raise SpeciesError(str(file), name, "", found, f"a list of tables, written [[{name}]]")
    return [read_table(kind, one, str(file), name, SpeciesError) for one in found]
