"""The renderer: one call turns a scene and a camera into a picture."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...engine.bundle import packed
from ...engine.numba_settings import threads_at_most
from ...engine.pool import CACHE_LINE
from .creatures.primitive_fields import LAYERS, TILE_H, TILE_W
from .creatures.sheet import NO_CREATURE, Sheet, View, new_sheet
from .creatures.skins import SHELF
from .detail import LEVELS, Detail
from .ground.chunks import AND_AROUND, EVERYTHING
from .ground.ground_view import GroundView, HalvedGround
from .raster.bloom_kernel import BLOCK, LEAST_SEEN, bloom_pass, blur_bloom
from .raster.compose_kernel import final_pass, shadow_pass
from .raster.frame import Bins, Film, Floor, Scratch, Sky, WaterView
from .raster.overlay_kernel import halve_shadows, overlay_pass
from .raster.scaling_kernel import enlarge
from .raster.tiles_kernel import count_tiles, fill_tiles, sort_layers
from .render_threads import alone, share
from .scene.camera import SMALLEST_SCALE, Camera
from .scene.light import (
    BLOOM,
    SHADOW_X,
    SHADOW_Y,
    VIGNETTE,
    light_vector,
    set_depths,
)
from .scene.props_kernel import build_props, lamp_light, light_up
from .scene.scene import Ground, Scene, Water
from .water.row_blend_kernel import SURFACE_PLANES
from .water.underwater_kernel import STRIP_NUMBERS, WHOLE_NUMBERS
from .water.water_kernel import FINEST_STEP, SAMPLE_PLANES, SAMPLE_ROWS, SAMPLES, WATER_PLANES, find_wet_tiles
from .water.water_texture import depth_fades, depth_table, water_texture
from .water.wave_kernel import NODE_STEP

if TYPE_CHECKING:
    from .water.caustics import Caustics

FIRST_CAPACITY = 8192  # primitives; the arrays grow when a frame needs more
MANY_PRIMITIVES = 4000  # from here on sorting into tiles is worth two threads
PARTS_PER_FRAME = 2  # of the work on new ground; about a millisecond on each of two cores
MOST_COVERED = 0.5  # share of the tiles with anything in them up to which half the size is quicker
WILDEST_WAVE = 1e3  # units
LEAST_CELL = 0.75  # of the way between two nodes: smaller cells of the surface are taken together


class Renderer:
    """Draws scenes into its own ``pixels``, a (height, width) uint32 array of 0xRRGGBB.

    ``detail`` is a place in `detail.LEVELS`: 0 is the best, higher ones draw less and faster.

    Example::

        renderer = Renderer((1280, 720))
        renderer.draw(scene, camera, time=0.0)
        save_png("frame.png", renderer.pixels)
    """

    _bins: Bins

    def __init__(self, size: tuple[int, int], detail: int = 0, ground: GroundView | HalvedGround | None = None) -> None:
        width, height = int(size[0]), int(size[1])
        self.width, self.height, self.detail = width, height, detail
        self.pixels: NDArray[np.uint32] = np.zeros((height, width), dtype=np.uint32)
        self._tiles_x, self._tiles_y = -(-width // TILE_W), -(-height // TILE_H)
        tiles = self._tiles_x * self._tiles_y
        self.parts_per_frame = PARTS_PER_FRAME
        self.finest_water = False  # every half-res pixel of it: for stills, where time does not matter
        self._ground = ground if ground is not None else GroundView(width, height)
        self._small: Renderer | None = None
        self._net: Caustics | None = None
        self._wet = np.zeros(tiles, dtype=np.bool_)
        half = (-(-height // 2) + 2, -(-width // 2) + 2)
        self._shadow = np.zeros(half, dtype=np.float32)
        self._bloom = np.zeros((2, 3, -(-height // BLOCK), -(-width // BLOCK)), dtype=np.float32)
        self._layer_counts = np.zeros(LAYERS + 1, dtype=np.int64)
        self._film: Film | None = None
        self._film_key: tuple[str, float, float, bool] | None = None
        self._floor: Floor | None = None
        self._grow(FIRST_CAPACITY, FIRST_CAPACITY)
        self._scratch = _scratch(threads_at_most())

    def draw(self, scene: Scene, camera: Camera, time: float, out: NDArray[np.uint32] | None = None) -> None:
        """Write one frame into ``pixels``, or into another array like it; the same arguments give the same picture."""
        level, pixels = self._level(camera), self.pixels if out is None else out
        film = self._film_for(scene.light, camera.pixels_per_unit, scene.ground.clarity, level.bloom)
        self._show_ground(scene, camera, film.light)
        count = self._build(scene, self._view(scene, camera, film.light, level), film.light, level)
        self._bin(count, film.light)
        if not level.halved:
            self._compose(film, scene, camera, time, level, pixels)
        elif self._covered() > MOST_COVERED:
            self._compose(film, scene, camera, time, LEVELS[-2], pixels)
        else:
            small = self._smaller()
            small.draw_below(scene, camera.halved(), time, level, self._sheet, count)
            share(enlarge, small.pixels, self._mixed, pixels)
            share(overlay_pass, self._bins, film, self._scratch, pixels)

    def draw_below(self, scene: Scene, camera: Camera, time: float, level: Detail, sheet: Sheet, count: int) -> None:
        """Write ground, water and the shadows of some primitives, which a picture of twice the size goes on with."""
        film = self._film_for(scene.light, camera.pixels_per_unit, scene.ground.clarity, level.bloom)
        self._show_ground(scene, camera, film.light)
        if len(self._sheet.prims) < count:
            self._grow(len(sheet.prims), self._bins.items.shape[1])
        self._bin(int(halve_shadows(sheet, count, self._sheet)), film.light)
        self._compose(film, scene, camera, time, level, self.pixels)

    def _covered(self) -> float:
        """Share of the tiles that have anything to draw."""
        starts = self._bins.starts[0]
        return float((starts[1:] > starts[:-1]).mean())

    def _level(self, camera: Camera) -> Detail:
        """What is drawn now; a camera that looks from as far away as any may is not halved."""
        level = LEVELS[min(max(self.detail, 0), len(LEVELS) - 1)]
        return level._replace(halved=level.halved and camera.pixels_per_unit >= 2.0 * SMALLEST_SCALE)

    def _smaller(self) -> Renderer:
        """A renderer of half the size that shares the ground; made when it is first needed."""
        if self._small is None:
            assert isinstance(self._ground, GroundView)  # a small one is never made smaller
            self._small = Renderer((-(-self.width // 2), -(-self.height // 2)), ground=HalvedGround(self._ground))
            self._mixed = np.zeros((threads_at_most(), self._small.width), dtype=np.uint32)
        self._small.parts_per_frame = 0  # its ground is that of the whole picture
        return self._small

    def _film_for(self, name: str, scale: float, clarity: float, bloom: bool) -> Film:
        """Light and film of a picture; kept, because most pictures have those of the one before."""
        key = (name, scale, clarity, bloom)
        if self._film is None or key != self._film_key:
            light = light_vector(name)
            set_depths(light, scale, clarity)
            vignette = _vignette(self.width, self.height, float(light[VIGNETTE]))
            film = Film(light, depth_table(name, clarity), *vignette, self._bloom[0] if bloom else self._bloom[0, :, :0])
            self._film, self._film_key = packed(film), key
        return self._film

    def _compose(
        self, film: Film, scene: Scene, camera: Camera, time: float, level: Detail, pixels: NDArray[np.uint32]
    ) -> None:
        """Half-res images, then the tiles, then what shines beyond its outline."""
        light, background = film.light, self._ground.background
        water, sky = packed(self._water_view(scene, camera, level, time)), packed(self._sky(scene.ground, camera))
        if self._floor is None or self._floor.packed is not background:  # else the camera has not moved
            self._floor = packed(Floor(background, background.reshape(-1), self._wet, self._shadow))
        share(shadow_pass, self._bins, light, self._shadow, sky, level.shadow_step)
        share(final_pass, self._bins, film, self._floor, water, self._scratch, pixels)
        if level.bloom and float(film.bloom.max()) * light[BLOOM] > LEAST_SEEN:
            blur_bloom(self._bloom[0], self._bloom[1])
            share(bloom_pass, self._bloom[0], light[BLOOM], self._scratch.tile, pixels, self._tiles_x, self._wet.size)

    def _water_view(self, scene: Scene, camera: Camera, level: Detail, time: float) -> WaterView:
        heights, (grid_x, grid_y), cell = _heights(scene.water, camera.pixels_per_unit)
        return WaterView(
            heights=heights,
            texture=self._water_texture(scene.ground.clarity, time),
            fades=depth_fades(scene.ground.clarity),
            picture_x=float(self._ground.left),
            picture_y=float(self._ground.top),
            scale=camera.pixels_per_unit,
            grid_x=float(grid_x),
            grid_y=float(grid_y),
            cell=float(cell),
            time=float(time),
            step=FINEST_STEP if self.finest_water else level.water_step,
            rows=level.water_rows,
            refraction=level.refraction,
        )

    def _water_texture(self, clarity: float, time: float) -> NDArray[np.float32]:
        """Ripples and the net of light; in clear water it dances."""
        if clarity <= 1.0:
            return water_texture()
        from .water.caustics import Caustics

        if self._net is None:
            self._net = Caustics()
        return self._net.at(time)

    def _sky(self, ground: Ground, camera: Camera) -> Sky:
        clearance, (x, y) = np.ascontiguousarray(ground.clearance, dtype=np.float64), ground.origin
        left, top = float(self._ground.left), float(self._ground.top)
        return Sky(clearance, float(x), float(y), float(ground.cell), left, top, camera.pixels_per_unit)

    def prepare(self, scene: Scene, camera: Camera, *, around: bool = False) -> None:
        """Bake all terrain in view now instead of over the coming frames: for stills and before a recording.

        `around` also bakes what may come into view next, so that frames have nothing to paint while the camera stands.
        """
        usual, self.parts_per_frame = self.parts_per_frame, AND_AROUND if around else EVERYTHING
        try:
            self._show_ground(scene, camera, light_vector(scene.light))
        finally:
            self.parts_per_frame = usual

    def _show_ground(self, scene: Scene, camera: Camera, light: NDArray[np.float32]) -> None:
        if self._ground.show(scene, camera, light, self.parts_per_frame):
            if not len(scene.ground.waters):
                self._wet[:] = False
            else:
                share(find_wet_tiles, self._ground.background, self._tiles_x, self._wet)

    def _build(self, scene: Scene, view: View, light: NDArray[np.float32], level: Detail) -> int:
        """Fill the sheet of primitives; enlarge it and start again when it was too small."""
        props = packed(scene.props(footprints=level.footprints))
        while True:
            start = count = int(build_props(self._sheet, view, props, light))
            for group in scene.creatures:
                count = group.put(self._sheet, count, view)
            if count < len(self._sheet.prims):
                break
            self._grow(2 * len(self._sheet.prims), self._bins.items.shape[1])
        if scene.highlighted != NO_CREATURE:
            light_up(self._sheet, start, count, scene.highlighted)
        lamp_light(self._sheet, start, count, view, props.food, light)
        return count

    def _bin(self, count: int, light: NDArray[np.float32]) -> None:
        sort_layers(self._sheet.layers, count, self._layer_counts, self._bins.order)
        run = share if count > MANY_PRIMITIVES else alone
        run(count_tiles, self._bins, count, light)
        needed = int(self._bins.starts[:, -1].max())
        if needed > self._bins.items.shape[1]:
            self._bins = packed(self._bins._replace(items=np.zeros((2, 2 * needed), dtype=np.int32)))
        if self._bins.skins is not SHELF.texels:  # it has more room than before
            self._bins = packed(self._bins._replace(skins=SHELF.texels))
        run(fill_tiles, self._bins, count)

    def _view(self, scene: Scene, camera: Camera, light: NDArray[np.float32], level: Detail) -> View:
        """Where world points land on the screen; the centre is that of the ground, which moves by whole pixels."""
        scale, shown, ground = camera.pixels_per_unit, self._ground, scene.ground
        view = View(
            center_x=(shown.left + 0.5 * self.width) / scale,
            center_y=-(shown.top + 0.5 * self.height) / scale,
            scale=scale,
            width=float(self.width),
            height=float(self.height),
            limb_scale=scale * level.limb_scale,
            shadow_reach=float(np.hypot(light[SHADOW_X], light[SHADOW_Y])),
            leg_states=scene.show_leg_states,
            grid_x=float(ground.origin[0]),
            grid_y=float(ground.origin[1]),
            grid_cell=float(ground.cell),
            elevation=np.ascontiguousarray(ground.elevation, dtype=np.float64),
            ponds=np.ascontiguousarray(ground.waters),
            lowest=ground.lowest,
            clarity=float(ground.clarity),
        )
        return packed(view)

    def _grow(self, capacity: int, items: int) -> None:
        """Make room for some primitives and for their places in tiles."""
        tiles = self._tiles_x * self._tiles_y
        self._sheet = packed(new_sheet(capacity))
        bins = Bins(
            prims=self._sheet.prims,
            order=np.zeros(capacity, dtype=np.int64),
            ranges=np.zeros((2, capacity, 4), dtype=np.int32),
            starts=np.zeros((2, tiles + 1), dtype=np.int64),
            cursor=np.zeros((2, tiles + 1), dtype=np.int64),
            items=np.zeros((2, items), dtype=np.int32),
            skins=SHELF.texels,
            tiles_x=self._tiles_x,
            tiles_y=self._tiles_y,
        )
        self._bins = packed(bins)


def _scratch(seats: int) -> Scratch:
    """Room for every thread to work on a tile. Rows begin on cache lines: else wet tiles take a twentieth longer."""
    shapes = {
        "samples": (SAMPLE_PLANES, SAMPLES),
        "wide": (WATER_PLANES, SAMPLE_ROWS, TILE_W),
        "tile": (3, TILE_H, TILE_W),
        "surface": (SURFACE_PLANES + 1, TILE_H, TILE_W),
        "strip": (STRIP_NUMBERS,),
    }
    floats = {name: _aligned((seats, *shape), np.float32) for name, shape in shapes.items()}
    return packed(Scratch(**floats, whole=_aligned((seats, WHOLE_NUMBERS), np.uint32)))


def _aligned(shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """An array without content that begins on a cache line."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    block = np.empty(size + CACHE_LINE, dtype=np.uint8)
    start = -block.ctypes.data % CACHE_LINE
    return block[start : start + size].view(dtype).reshape(shape)


def _heights(water: Water, scale: float) -> tuple[NDArray[np.float32], tuple[float, float], float]:
    """The moving surface in single precision, its origin and cell; heights that are no numbers, or wild, count as flat.

    Cells much smaller than the way between two nodes of a tile are taken together: of waves that short the nodes would see
    one here and one there, which looks like a grid.
    """
    height, (x, y), cell = np.asarray(water.height), water.origin, water.cell
    if not np.abs(height).max(initial=0.0) < WILDEST_WAVE:
        height = np.where(np.abs(height) < WILDEST_WAVE, height, 0.0)
    height = np.ascontiguousarray(height, dtype=np.float32)
    while cell * scale < LEAST_CELL * NODE_STEP and min(height.shape) >= 8:
        rows, columns = height.shape[0] & ~1, height.shape[1] & ~1
        across = np.add(height[:rows, 0:columns:2], height[:rows, 1:columns:2])
        height = np.float32(0.25) * np.add(across[0::2], across[1::2])
        x, y, cell = x + 0.5 * cell, y + 0.5 * cell, 2.0 * cell
    return np.ascontiguousarray(height), (x, y), cell


@lru_cache(maxsize=8)  # a window that is being resized has many sizes
def _vignette(width: int, height: int, strength: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Column and row terms of q in 1 - q^2; the strength is folded in."""
    x = (np.arange(width) + 0.5) / width * 2.0 - 1.0
    y = (np.arange(height) + 0.5) / height * 2.0 - 1.0
    root = np.sqrt(strength)
    return (0.55 * root * x * x).astype(np.float32), (0.45 * root * y * y).astype(np.float32)
