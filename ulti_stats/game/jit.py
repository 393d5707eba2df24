"""The one home of Numba: where compiled code is kept, and the operations on bits and words that Numba lacks.

Numba's cache does not see a change in another file of the package, so the cache folder is named by a hash of every
source of the rooms that hold compiled code: an upgrade compiles anew and never runs what an older version compiled. The
newest few folders are kept. `NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic


def _sources_hash() -> str:
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=12)
    kernels_live_in = [*package.glob("game/**/*.py"), *package.glob("sources/**/*.py")]
    for path in sorted(kernels_live_in):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def cache_folder() -> Path:
    """Return the per-user folder for compiled code of exactly these sources."""
    base = os.environ.get("ULTI_CACHE") or os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base else Path.home() / ".cache"
    return root / "ulti_stats" / _sources_hash()


# Folders of this many versions are kept: those of two checkouts or environments do not drive each other out.
KEPT_FOLDERS = 4


def forget_older(folder: Path) -> None:
    """Delete all but the newest of the folders beside one that is about to be made; other things are left alone."""
    others = [other for other in folder.parent.glob("[0-9a-f]" * len(folder.name)) if other.is_dir() and other != folder]
    others.sort(key=lambda other: other.stat().st_mtime, reverse=True)
    for other in others[KEPT_FOLDERS - 1 :]:
        shutil.rmtree(other, ignore_errors=True)


def _use_cache(folder: Path) -> None:
    if not folder.exists():
        with contextlib.suppress(OSError):  # another process was first, or the folder cannot be read: compile without it
            forget_older(folder)
    numba.config.CACHE_DIR = str(folder)  # pyright: ignore[reportPrivateImportUsage, reportAttributeAccessIssue]


if not os.environ.get("NUMBA_CACHE_DIR"):
    _use_cache(cache_folder())


def are_compiled(*names: str) -> bool:
    """Return whether the cache holds kernels of these names, so that calling them does not compile first."""
    folder = Path(numba.config.CACHE_DIR)  # pyright: ignore[reportPrivateImportUsage, reportAttributeAccessIssue]
    return JIT_DISABLED or all(any(folder.rglob(f"*.{name}-*.nbi")) for name in names)


JIT_DISABLED: bool = bool(numba.config.DISABLE_JIT)  # pyright: ignore[reportPrivateImportUsage, reportAttributeAccessIssue]


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    dispatcher = numba.njit(nogil=True, **options)(function)
    if not JIT_DISABLED:
        # A literal in a call would otherwise have the function compiled once more, for that number alone.
        of_types = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: of_types(tuple(map(types.unliteral, args)), _widened(dict(kws)))
    return dispatcher


def _widened(kinds: dict[str, Any]) -> dict[str, Any]:
    return {name: types.unliteral(kind) for name, kind in kinds.items()}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function for integers and arrays, cached on disk and free of the interpreter lock."""
    return _compiled(function, cache=True)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a small function into each of its callers."""
    return numba.njit(cache=True, nogil=True, inline="always")(function)


# Measured: counting references to arrays, which threads must do in step, took two thirds of a simulated hand. What runs once
# a hand or more often therefore makes no arrays: what it fills in and what it scribbles on is handed to it.
def lean(function: Callable[..., Any]) -> Any:
    """Compile a kernel that makes no arrays and calls none that does; references to arrays are not counted in it."""
    return _compiled(function, cache=True, _nrt=False)


def inner(function: Callable[..., Any]) -> Any:
    """Compile a lean function that only compiled code calls, since Python cannot: its way in would be compiled with each."""
    return _compiled(function, cache=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


# Each level costs: a compiled function is optimised once more within everybody who calls it, down to machine code, and again
# within their callers. What has one caller is better inlined.
def fused(function: Callable[..., Any]) -> Any:
    """Compile a lean function into its compiled callers; Python cannot call it. It saves handing over many arrays."""
    return _compiled(function, _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _bit_intrinsic(operation: str) -> Any:
    def typed(typingctx: Any, value: Any) -> Any:
        signature = types.int64(types.int64)

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            if operation == "popcount":
                return builder.ctpop(args[0])
            zero_is_poison = context.get_constant(types.boolean, False)
            if operation == "lowest":
                return builder.cttz(args[0], zero_is_poison)
            leading = builder.ctlz(args[0], zero_is_poison)
            return builder.sub(context.get_constant(types.int64, 63), leading)

        return signature, codegen

    typed.__name__ = operation
    return intrinsic(typed)


def _word_intrinsic() -> Any:
    def typed(typingctx: Any, text: Any, at: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = context.make_array(sig.args[0])(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(data, [args[1]]), args[2].type.as_pointer())
            builder.store(args[2], place, align=1)
            return context.get_dummy_value()

        return types.void(text, types.int64, types.int64), codegen

    typed.__name__ = "put_word"
    return intrinsic(typed)


if JIT_DISABLED:

    def put_word(text: Any, at: int, word: int) -> None:
        """Put the eight bytes of a word into a text from byte `at` on, the low ones first."""
        text[at : at + 8] = list(int(word).to_bytes(8, "little"))

    def popcount(mask: int) -> int:
        """Return the number of set bits."""
        return int(mask).bit_count()

    def lowest(mask: int) -> int:
        """Return the place of the lowest set bit; 64 for 0."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1 if mask else 64

    def highest(mask: int) -> int:
        """Return the place of the highest set bit; -1 for 0."""
        return int(mask).bit_length() - 1

else:
    put_word = _word_intrinsic()
    popcount = _bit_intrinsic("popcount")
    lowest = _bit_intrinsic("lowest")
    highest = _bit_intrinsic("highest")
