"""Which of numba's teams of threads runs our loops: oneTBB where it is installed, else OpenMP.

An OpenMP team ends a loop together. When another program keeps one of two cores busy, every loop waits until its member
there has had its turn, and two threads take longer than one. A oneTBB team goes on when all work is done: who never came
is not waited for. `docs/speed.md` has the figures.

numba looks for the library only where the system's loader looks, which is not where `pip install tbb` puts it.
"""

from __future__ import annotations

import ctypes
import os
import site
import sys

from .numba_settings import setting

LIBRARIES = {"linux": "lib/libtbb.so.12", "darwin": "lib/libtbb.12.dylib", "win32": "Library/bin/tbb12.dll"}
"""Where the package puts it below the folder of the environment."""


def offer_tbb() -> bool:
    """Load oneTBB, so that numba finds it by name. Nothing happens if the host has chosen a layer, or has no oneTBB."""
    chosen = setting("THREADING_LAYER") != "default" or setting("THREADING_LAYER_PRIORITY")[0] != "tbb"
    library = LIBRARIES.get(sys.platform)
    if chosen or library is None:
        return False
    for folder in (sys.prefix, site.getuserbase()):
        path = os.path.join(folder, library)
        if os.path.exists(path):
            try:
                ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            except OSError:  # for another processor, or damaged: OpenMP will do
                return False
            return True
    return False
