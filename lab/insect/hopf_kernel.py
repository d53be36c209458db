"""Hopf oscillators and the operators that turn one of them into the signals of joints. [Guo15 5.2]

Legend: E = lam ((u^2 + w^2)/rho^2 - sigma); u' = -E u - omega w; w' = omega u - E w. With sigma = 1 a circle of radius rho,
with sigma = -1 rest at zero. On the circle u = rho cos(omega t), w = rho sin(omega t): w is not the rate of u, that is
-omega w.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING

from ...engine.kernel import kernel

if TYPE_CHECKING:
    from ...engine.kernel_types import Array

RUNGE_KUTTA, EULER = 0, 1
SEED = 1e-3  # of rho: from exact rest an oscillator never starts


@kernel(refcount=False)
def hopf_rate(u: float, w: float, lam: float, rho: float, omega: float, sigma: float) -> tuple[float, float]:
    """Return u' and w'. [Guo15 eq. 5.1]"""
    e = lam * ((u * u + w * w) / (rho * rho) - sigma)
    return -e * u - omega * w, omega * u - e * w


@kernel(refcount=False)
def hopf_step(u: float, w: float, lam: float, rho: float, omega: float, sigma: float, dt: float) -> tuple[float, float]:
    """Return the state after a step, by the classical Runge-Kutta rule."""
    a, b = hopf_rate(u, w, lam, rho, omega, sigma)
    c, d = hopf_rate(u + 0.5 * dt * a, w + 0.5 * dt * b, lam, rho, omega, sigma)
    e, f = hopf_rate(u + 0.5 * dt * c, w + 0.5 * dt * d, lam, rho, omega, sigma)
    g, h = hopf_rate(u + dt * e, w + dt * f, lam, rho, omega, sigma)
    return u + dt / 6.0 * (a + 2.0 * c + 2.0 * e + g), w + dt / 6.0 * (b + 2.0 * d + 2.0 * f + h)


@kernel(refcount=False)
def euler_step(u: float, w: float, lam: float, rho: float, omega: float, sigma: float, dt: float) -> tuple[float, float]:
    """Return the state after a plain step, whose circle grows with the step."""
    a, b = hopf_rate(u, w, lam, rho, omega, sigma)
    return u + dt * a, w + dt * b


@kernel(refcount=False)
def run_hopf(states: Array, lam: float, rho: float, omega: float, sigmas: Array, dt: float, method: int, out: Array) -> None:
    """Update out (steps + 1, n, 2): oscillators from their states (n, 2); sigmas (steps,) may change from step to step."""
    for i in range(states.shape[0]):
        u, w = states[i, 0], states[i, 1]
        out[0, i, 0], out[0, i, 1] = u, w
        for k in range(sigmas.size):
            if sigmas[k] > 0.0 and u * u + w * w < (SEED * rho) ** 2:
                u, w = SEED * rho, 0.0
            if method == EULER:
                u, w = euler_step(u, w, lam, rho, omega, sigmas[k], dt)
            else:
                u, w = hopf_step(u, w, lam, rho, omega, sigmas[k], dt)
            out[k + 1, i, 0], out[k + 1, i, 1] = u, w


@kernel(refcount=False)
def shifted(u: float, w: float, shift: float) -> tuple[float, float]:
    """Return the state turned by a phase. [Guo15 eq. 5.2]"""
    c, s = cos(shift), sin(shift)
    return c * u - s * w, s * u + c * w


@kernel(refcount=False)
def joint_signals(states: Array, shift: Array, middle: Array, swing: Array, out: Array) -> None:
    """Update out (n, joints): angles from one oscillator, each joint with its shift, middle and swing. [Guo15 eq.
    5.2-5.4]"""
    for k in range(states.shape[0]):
        for j in range(shift.size):
            out[k, j] = middle[j] + swing[j] * shifted(states[k, 0], states[k, 1], shift[j])[0]


@kernel(refcount=False)
def felt_signal(angle: float, rate: float, shift: float, middle: float, swing: float, lam: float, omega: float, sigma: float,
                dt: float) -> float:  # fmt: skip
    """Return the next angle of a joint whose oscillator is set from what is felt: pushes decay by it. [Guo15 5.2.4]

    The rate of a joint is a' = -E a - omega b, so b comes from a quadratic equation. Taking b = -a'/omega, as on the cycle,
    runs away as soon as a push has left the cycle by much.
    """
    a, rate_a = (angle - middle) / swing, rate / swing
    c = rate_a + lam * (a * a - sigma) * a
    root = omega * omega - 4.0 * lam * a * c
    b = -2.0 * c / (omega + sqrt(root)) if root > 0.0 else -rate_a / omega
    u, w = shifted(a, b, -shift)
    u, w = hopf_step(u, w, lam, 1.0, omega, sigma, dt)
    return middle + swing * shifted(u, w, shift)[0]
