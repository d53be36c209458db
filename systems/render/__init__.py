"""The top-down renderer: reads simulation arrays, writes pixels, never changes the world.

Example::

    renderer = Renderer((1280, 720))
    renderer.draw(Scene(ground=Ground(elevation)), Camera((1280, 720)), time=0.0)
    save_png("frame.png", renderer.pixels)
"""

from .creatures.painter import Group, Painter
from .creatures.simple_shapes import balls, capsules, ellipsoids
from .detail import DetailGovernor
from .output.clip import save_clip
from .output.image import save_png
from .output.pygame_surface import show
from .renderer import Renderer
from .scene.camera import Camera
from .scene.light import LIGHT_NAMES
from .scene.prop_rows import OBSTACLE_BOX, OBSTACLE_CYLINDER, OBSTACLE_SPHERE
from .scene.scene import Ground, Scene, Water

__all__ = [
    "LIGHT_NAMES",
    "OBSTACLE_BOX",
    "OBSTACLE_CYLINDER",
    "OBSTACLE_SPHERE",
    "Camera",
    "DetailGovernor",
    "Ground",
    "Group",
    "Painter",
    "Renderer",
    "Scene",
    "Water",
    "balls",
    "capsules",
    "ellipsoids",
    "save_clip",
    "save_png",
    "show",
]
