"""The primitive row: 24 float32 fields shared by everything that draws and everything that is drawn.

Positions and radii are pixels. What X1..R1 and P0..P2 mean depends on the kind:

=========  ==========================  =====================  ==========================================
kind       X0 Y0 / X1 Y1               R0 / R1                P0 P1 P2
=========  ==========================  =====================  ==========================================
CAPSULE    ends                        radii at the ends      -
LINE       ends                        radii at the ends      - (colour already lit)
PLATE      centre / forward half axis  sideways half axis     taper, forward tilt, sideways tilt; Z1 = seed, H1 = flank
RING       centre / forward half axis  sideways half axis     taper, warm, -
ELLIPSOID  centre / forward half axis  sideways half axis     roughness, flatness, -
LEAF       base / tip                  half width / bend      curl, midrib, -
GLOW       centre / radius, 0          -                      additive part
BOX        centre / forward half axis  sideways half axis     bevel, -, -
CONTACT    ends                        radii (shadow only)    -
DENT       centre / forward half axis  sideways half axis     - (multiplies the ground below)
LOFT       corners of its box          stations / skin        caustics, outline, level of the skin; RIM = scales, Z1 = halo
FIN        ends of the root            P0 P1 R0 R1 = tips     P2 = shape; GLOSS = rays, RIM = caustics, H0 H1 = bow
EYE        centre / forward half axis  sideways half axis     pupil, glint, caustics; colour of the ring
PAD        centre / forward half axis  sideways half axis     veins, bend of the notch, -
SHELL      centre / forward half axis  sideways half axis     taper, dome, squareness; Z1 = sheen, H1 = markings
DYE        corners of its box          columns / rows         pale
=========  ==========================  =====================  ==========================================

The stations of a LOFT and the values of a DYE are the rows that follow it, see `raster.loft_kernel`: of no kind, without
alpha and shadow, so that nothing else is drawn for them.

Z0, Z1 are heights above the water in pixels (HIGH when the place is dry), H0, H1 heights above the ground.
"""

from __future__ import annotations

from ....engine.kernel_types import float32

KIND, X0, Y0, X1, Y1, R0, R1, Z0, Z1, H0, H1, CR, CG, CB, ALPHA, GLOSS, RIM, ER, EG, EB, P0, P1, P2, SHADOW = range(24)
PRIMITIVE_FIELDS = 24

CAPSULE, LINE, PLATE, RING, ELLIPSOID, LEAF, GLOW, BOX, CONTACT, DENT, LOFT, FIN, EYE, PAD, SHELL, DYE = range(1, 17)

HIGH = float32(1.0e6)  # px above the water: "never wet"
TILE_W, TILE_H = 64, 40  # px; 3 float32 planes are 30 kB and stay in the first caches [look 6]
SMALLEST_RADIUS = float32(0.62)  # px; thinner parts keep this radius and fade instead [look 6]
# Layers of the draw order: the ground, bands of depth, heights above the ground or the upper water, what is on top of all.
LAYERS = 219
GROUND_LAYER = 0
DEPTH_BANDS = 96  # layers 1 to 96
LOWEST_LAYER = DEPTH_BANDS + 1  # of what is not deep below the surface
HIGHEST_LAYER = LAYERS - 3
TOP_LAYER = LAYERS - 1
