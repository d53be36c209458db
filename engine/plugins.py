"""Plugins: a function ``build(world)``. The built-in creatures enter through the same door as anybody's mod."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .errors import PluginError

if TYPE_CHECKING:
    from .world import World

log = logging.getLogger(__name__)

ENTRY_POINT_GROUP = "paludarium.mods"
BUILT_IN = ("paludarium.components", "paludarium.systems")

Plugin = str | ModuleType | Callable[["World"], Any]


def install(world: World, plugin: Plugin) -> str:
    """Call a plugin's ``build(world)`` once. Give a module's name, a module, or the function itself."""
    name = plugin_name(plugin)
    if name in world.plugins:
        raise PluginError(f"plugin {name!r} is already installed in this world")
    build = _build_function(plugin, name)
    before, world.building = world.building, None if name in BUILT_IN else name
    try:
        build(world)
    finally:
        world.building = before
    world.plugins.append(name)
    return name


def discover(folder: Path | None = None) -> list[Plugin]:
    """Mods from installed packages' entry points and, when given, from a folder of modules and packages."""
    found: list[Plugin] = [point.value for point in entry_points(group=ENTRY_POINT_GROUP)]
    if folder is None:
        return sorted(found, key=plugin_name)
    if not folder.is_dir():
        raise PluginError(f"mods folder {folder}: no such folder")
    files = [*folder.glob("[!_.]*.py"), *(child / "__init__.py" for child in folder.iterdir())]
    return [*sorted(found, key=plugin_name), *_load_files(sorted(file for file in files if file.is_file()))]


def install_mods(world: World, plugins: Iterable[Plugin]) -> None:
    """Install discovered mods; one that raises is reported by name and left out, the world goes on."""
    for plugin in plugins:
        try:
            install(world, plugin)
        except Exception as problem:  # noqa: BLE001 - a stranger's code may raise anything
            report_failure(world, plugin_name(plugin), problem)


def report_failure(world: World, name: str, problem: BaseException) -> None:
    """Log a failing mod with its name and tell the game about it."""
    log.error("mod %r failed and is disabled: %s", name, problem, exc_info=problem)
    world.emit("mod_failed", mod=name, problem=f"{type(problem).__name__}: {problem}")


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
        except ImportError as problem:
            raise PluginError(f"plugin {name!r} cannot be imported: {problem}") from problem
        build = getattr(plugin, function_name or "build", None)
    else:
        build = getattr(plugin, "build", plugin)
    if not callable(build):
        raise PluginError(f"plugin {name!r} has no function build(world)")
    return build


def _load_files(files: Iterable[Path]) -> list[Plugin]:
    modules: list[Plugin] = []
    for file in files:
        name = f"paludarium_mods.{file.parent.name if file.name == '__init__.py' else file.stem}"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        modules.append(_lazily(spec.loader, module))
    return modules


def _lazily(loader: Any, module: ModuleType) -> Plugin:
    """A plugin that runs the file's code only when it is installed, so a broken file is reported as that mod."""

    def build(world: World) -> None:
        loader.exec_module(module)
        _build_function(module, module.__name__)(world)

    build.__module__, build.__qualname__ = module.__name__.rpartition(".")[::2]
    return build
