"""Plugins: a function ``build(world)``. The built-in creatures enter through the same door as any mod."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from traceback import format_exception
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .errors import FAILURES, PaludariumError, PluginError, shortened
from .files import path_of
from .mod_check import BUILT_IN as BUILT_IN
from .mod_check import excused, looked_at

if TYPE_CHECKING:
    from .dormant import Dormant
    from .events import Event, Handler
    from .roles import Keeper
    from .schedule import Entry
    from .world import World

log = logging.getLogger(__name__)

ENTRY_POINT_GROUP = "paludarium.mods"
MOD_PACKAGE = "paludarium_mods"
"""What modules from a folder are called: ``paludarium_mods.glow``."""

Plugin = str | ModuleType | Callable[["World"], Any]


@dataclass
class Mods:
    """What a world remembers of its plugins beside their names; none of it is saved."""

    given: list[Plugin] = field(default_factory=list)
    """The plugins themselves, in the order of their names."""
    failed: list[str] = field(default_factory=list)
    """Names of those that were taken out. A world that is loaded tries them again."""
    dormant: Dormant | None = None
    """What waits in this world for mods that were not given when it was loaded."""
    ran: bool = False
    """Whether code of one of them has run since the last look."""
    keeper: Keeper | None = None
    """What looks over the world at the end of ticks in which they ran, so that the next tick begins with sound bodies."""
    watched_until: int = 0
    """The tick before which all of them are looked at, see `mod_check`."""
    damaged_before: str = ""
    """What was wrong when the last code of a mod began that was looked at."""


def install(world: World, plugin: Plugin) -> str:
    """Call a plugin's ``build(world)`` once. Give a module's name, a module, or the function itself."""
    name = plugin_name(plugin)
    if name in world.plugins:
        raise PluginError(f"plugin {name!r} is already installed in this world")
    build_as(world, plugin, None if name in BUILT_IN else name)
    world.plugins.append(name)
    world.mods.given.append(plugin)
    return name


def build_as(world: World, plugin: Plugin, mod: str | None) -> None:
    """Call a plugin's ``build(world)`` in the name of a mod, which answers for what it adds; None is the package itself."""
    build = _build_function(plugin, plugin_name(plugin))
    before, world.building = world.building, mod
    try:
        build(world)
    finally:
        world.building = before


def checked_plugins(plugins: Any) -> list[Plugin]:
    """A list of modules, names of modules and functions, or an error that says so."""
    if not isinstance(plugins, list | tuple):
        raise PluginError(f"plugins = {shortened(plugins)}: allowed is a list of modules, names of modules and functions")
    for plugin in plugins:
        if not isinstance(plugin, str | ModuleType) and not (callable(plugin) and hasattr(plugin, "__qualname__")):
            raise PluginError(f"plugin {shortened(plugin)}: allowed is a module, its name, or a function build(world)")
    return list(plugins)


def mods_in(mods: Any) -> list[Plugin]:
    """What ``mods=`` stands for: nothing, True for the installed ones, or a folder and the installed ones."""
    if mods is None or mods is False:
        return []
    return discover(None if mods is True else path_of(mods, PluginError))


def discover(folder: Path | None = None) -> list[Plugin]:
    """Mods from installed packages' entry points and, when given, from a folder.

    In a folder every module, every package and every subfolder with ``species/*.toml`` is a mod; the last needs no code.
    """
    found: list[Plugin] = [point.value for point in entry_points(group=ENTRY_POINT_GROUP)]
    if folder is None:
        return sorted(found, key=plugin_name)
    if not folder.is_dir():
        raise PluginError(f"mods folder {folder}: no such folder")
    files = [*folder.glob("[!_.]*.py"), *(child / "__init__.py" for child in folder.iterdir())]
    code = _load_files(sorted(file for file in files if file.is_file()))
    data = [child for child in sorted(folder.iterdir()) if any(child.glob("species/*.toml"))]
    only_data = [_animals(child) for child in data if not (child / "__init__.py").is_file()]
    return [*sorted(found, key=plugin_name), *code, *only_data]  # animals last: they may have parts that code brings


def install_mods(world: World, plugins: Iterable[Plugin]) -> None:
    """Install discovered mods; one that raises is reported by name and left out whole, the world goes on."""
    for plugin in plugins:
        tables = world.tables()
        before, families = [dict(table) for table in tables], set(world.families)
        try:
            install(world, plugin)
        except FAILURES as problem:
            for table, content in zip(tables, before, strict=True):
                table.clear()
                table.update(content)
            world.families.forget(set(world.families) - families)
            disable(world, plugin_name(plugin), "", problem)


def chosen(names: Iterable[str], given: Sequence[Plugin], error: type[PaludariumError], otherwise: str = "") -> list[Plugin]:
    """The plugins that a file names, of those the caller gave and the built-in ones: no file makes us import anything."""
    known, missing = divided(names, given)
    if missing:
        raise error(f"was made with plugins that were not given: {', '.join(map(shortened, missing))}; "
                    f"give them as plugins=[...], or the folder of mods as mods=FOLDER{otherwise}")  # fmt: skip
    return known


def divided(names: Iterable[str], given: Sequence[Plugin]) -> tuple[list[Plugin], list[str]]:
    """Of the plugins that a file names, those that the caller gave or that are built in, and the names of the others."""
    known = {**{name: name for name in BUILT_IN}, **{plugin_name(plugin): plugin for plugin in given}}
    return [known[name] for name in names if name in known], [name for name in names if name not in known]


def disable(world: World, name: str, where: str, problem: BaseException) -> None:
    """Take a failing mod's systems, handlers and brain modes out, log it with its name and tell the game about it.

    Its species, verbs and pools stay: creatures that have them go on living. Resources that keep something for mods
    have a method ``forget_mod(name)``.
    """
    take_out(world, name)
    shown = f"{name} ({where})" if where else name
    log.error("mod %r failed and is disabled:\n%s", shown, _traced(problem))
    world.emit("mod_failed", mod=shown, problem=_told(problem))


def report(world: World, entry: Entry, problem: BaseException) -> None:
    """Disable the mod whose system raised. One of ours raises, unless a mod has spoiled numbers: then these are mended, and
    it runs again; what earlier systems have made of such numbers is gone in the next tick."""
    if excused(world):
        if entry.plugin is None:
            with suppress(*FAILURES):
                entry.system.process(world.clock.tick_seconds)
    elif entry.plugin is None:
        raise problem
    else:
        disable(world, entry.plugin, entry.name, problem)


def take_out(world: World, name: str) -> None:
    """Take a mod's systems, handlers, brain modes and painters out, for good."""
    if name not in world.mods.failed:
        world.mods.failed.append(name)
    for entry in list(world.schedule):
        if entry.plugin == name:
            world.schedule.remove(entry.name)
    world.events.forget_mod(name)
    for resource in list(world.resources.by_kind.values()):
        if hasattr(resource, "forget_mod"):
            try:
                resource.forget_mod(name)
            except FAILURES as problem:  # the resource is a mod's, too
                log.error("%s of mod %r: forget_mod failed:\n%s", type(resource).__name__, name, _traced(problem))


def _traced(problem: BaseException) -> str:
    """An error and where it came from, as text: a log that keeps the error itself keeps its frames, and so the world."""
    return "".join(format_exception(problem)).rstrip()


def _told(problem: BaseException) -> str:
    """Kind and text of an error; a stranger's may not even tell its text."""
    try:
        return f"{type(problem).__name__}: {problem}"
    except Exception:  # noqa: BLE001 - of a mod's own kind
        return type(problem).__name__


def tell(world: World, handler: Handler, event: Event, plugin: str | None) -> None:
    """Call an event handler. A mod's one that raises takes its mod out; the host's own errors are the host's."""
    if plugin is None:
        handler(event)
        return
    world.building = plugin
    try:
        with looked_at(world):
            handler(event)
    except FAILURES as problem:
        if excused(world):
            return
        disable(world, plugin, f"handler of {event.kind!r}", problem)
    finally:
        world.building = None


def plugin_name(plugin: Plugin) -> str:
    if isinstance(plugin, str):
        return plugin
    if isinstance(plugin, ModuleType):
        return plugin.__name__
    return f"{plugin.__module__}.{plugin.__qualname__}"


def _build_function(plugin: Plugin, name: str) -> Callable[[World], Any]:
    if isinstance(plugin, str):
        module_name, _, function_name = plugin.partition(":")
        try:
            plugin = importlib.import_module(module_name)
        except (ImportError, ValueError) as problem:
            raise PluginError(f"plugin {shortened(name)} cannot be imported: {problem}") from problem
        build = getattr(plugin, function_name or "build", None)
    else:
        build = getattr(plugin, "build", plugin)
    if not callable(build):
        raise PluginError(f"plugin {name!r} has no function build(world)")
    return build


def _load_files(files: Iterable[Path]) -> list[Plugin]:
    modules: list[Plugin] = []
    for file in files:
        name = f"{MOD_PACKAGE}.{file.parent.name if file.name == '__init__.py' else file.stem}"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        modules.append(_lazily(spec.loader, module))
    return modules


def _animals(folder: Path) -> Plugin:
    """A mod without code: the species files of a folder, each read once so that a wrong one is reported now."""

    def build(world: World) -> None:
        keys = [file.stem for file in sorted(folder.glob("species/*.toml"))]
        try:
            world.add_species(folder / "species")
            for key in keys:
                _ = world.species[key]
        except Exception:
            world.species.forget(*keys)
            raise

    build.__module__, build.__qualname__ = MOD_PACKAGE, folder.name
    return build


def _lazily(loader: Any, module: ModuleType) -> Plugin:
    """A plugin that runs the file's code only when it is installed, so a broken file is reported as that mod."""

    ran: list[bool] = []  # once, as an import: worlds that are made of the same plugins share the module

    def build(world: World) -> None:
        if not ran:
            loader.exec_module(module)
            ran.append(True)
        _build_function(module, module.__name__)(world)

    build.__module__, build.__qualname__ = module.__name__.rpartition(".")[::2]
    return build
