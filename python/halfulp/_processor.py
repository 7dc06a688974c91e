"""The check that the program makes before anything else, before the module is loaded."""

from __future__ import annotations

import platform
from pathlib import Path


def refuse_unsupported_processor() -> None:
    """Raises ImportError on an x86-64 processor without AVX2 and fused multiply-adds."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    flags = next((set(line.split(":", 1)[1].split()) for line in lines if line.startswith("flags")), None)
    if flags is not None and not {"fma", "avx2"} <= flags:
        raise ImportError("halfulp: this processor lacks fused multiply-adds (FMA, AVX2), without which the results would "
                          "have other bits than everywhere else; run halfulp on an x86-64 processor of 2013 or later")
