"""A virtual X screen: started, looked at from outside, and its windows asked to close."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import struct
import subprocess
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 1024, 768
CLIENT_MESSAGE = 33  # X.h
LONGS_OF_AN_EVENT = 24


class VirtualScreen:
    """An Xvfb of its own on a free display number; its memory is a file, so that it can be looked at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        read, write = os.pipe()
        # Without -noreset the server starts anew whenever its last client leaves, and refuses connections meanwhile.
        self.server = subprocess.Popen(
            ["Xvfb", "-noreset", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24",
             "-fbdir", str(folder), "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        self.name = f":{number}"

    def picture(self, size: tuple[int, int]) -> np.ndarray:
        """(width, height, 3) bytes of the upper left corner."""
        content = (self.folder / "Xvfb_screen0").read_bytes()  # an XWD file: header, colour map of 12-byte entries, pixels
        header, = struct.unpack_from(">I", content)
        colours, = struct.unpack_from(">I", content, 19 * 4)
        stride, = struct.unpack_from(">I", content, 12 * 4)
        rows = np.frombuffer(content, np.uint8, count=stride * HEIGHT, offset=header + 12 * colours).reshape(HEIGHT, stride)
        pixels = rows[: size[1], : 4 * size[0]].reshape(size[1], size[0], 4)
        return pixels[:, :, 2::-1].transpose(1, 0, 2).copy()

    def ask_to_close(self, window: int) -> None:
        """What the cross in a window's corner does: a WM_DELETE_WINDOW message."""
        x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        x11.XInternAtom.restype = ctypes.c_ulong
        x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
        x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
        display = x11.XOpenDisplay(self.name.encode())
        protocols, delete = (x11.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        event = (ctypes.c_long * LONGS_OF_AN_EVENT)()
        event[0], event[4], event[5], event[6], event[7] = CLIENT_MESSAGE, window, protocols, 32, delete
        x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
        x11.XCloseDisplay(display)

    def close(self) -> None:
        self.server.terminate()
        self.server.wait(timeout=10)
