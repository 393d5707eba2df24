"""Files as streams of bytes and lines, plain, gzip or zstd; what was read before a break is kept."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ulti_stats.errors import SourceError
from ulti_stats.sources.importers.records import Problem

CHUNK_BYTES = 1 << 16
MAX_LINE_BYTES = 1 << 22
RAW_CHARS = 2_000
_BOM = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SUFFIXES = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}


class ByteStream(Protocol):
    """What a compressed or plain file offers."""

    def read1(self, size: int, /) -> bytes:
        """Return the next bytes, at most `size`; nothing at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: where it stands, and its bytes without line end and byte-order mark."""

    place: str
    data: bytes

    @property
    def raw(self) -> str:
        """Return the line as text; bytes that are not UTF-8 are written as escapes."""
        return self.data.decode("utf-8", "backslashreplace")


def compression_of(path: Path) -> str:
    """Return `gzip`, `zstd` or nothing, by the first bytes of the file."""
    with path.open("rb") as file:
        magic = file.read(4)
    if magic[:2] == _GZIP_MAGIC:
        return "gzip"
    return "zstd" if magic == _ZSTD_MAGIC else ""


def named_compression(path: Path) -> str:
    """Return the compression that the file's name promises, or nothing."""
    return _SUFFIXES.get(path.suffix.lower(), "")


@contextmanager
def open_stream(path: Path) -> Iterator[ByteStream]:
    """Open a file for reading, decompressed where its first bytes say that it is compressed."""
    match compression_of(path):
        case "gzip":
            with gzip.open(path, "rb") as stream:
                yield stream
        case "zstd":
            # Only files that need it pay for this import.
            import pyarrow as pa

            with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as stream:
                yield stream
        case _:
            with path.open("rb") as stream:
                yield stream


def read_chunks(stream: ByteStream) -> Iterator[bytes]:
    """Yield the bytes of a stream as they come; raises `SourceError` where compressed data break off or are damaged."""
    while True:
        try:
            chunk = stream.read1(CHUNK_BYTES)
        except EOFError:
            raise SourceError("the compressed data break off here; the file is cut short, copy it again") from None
        except (OSError, ValueError, zlib.error) as error:
            why = "cut short" if "Truncated" in str(error) else "damaged"
            raise SourceError(f"the compressed data cannot be read on; the file is {why}, copy it again") from None
        if not chunk:
            return
        yield chunk


def read_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, decompressed and without byte-order mark, or fewer where it breaks off or ends."""
    head = b""
    with open_stream(path) as stream:
        try:
            for chunk in read_chunks(stream):
                head += chunk
                if len(head) >= size:
                    break
        except SourceError:
            if not head:
                raise
    return head[:size].removeprefix(_BOM)


def read_lines(path: Path) -> Iterator[Line | Problem]:
    """Yield the lines of a file that are not blank, one at a time, and a problem where the file or a line cannot be read.

    A place is `file:line`. After a break nothing follows; the lines before it have been yielded.
    """
    number, rest, skips = 0, b"", False
    with open_stream(path) as stream:
        try:
            for chunk in read_chunks(stream):
                *lines, rest = (rest + chunk).split(b"\n")
                for data in lines:
                    number += 1
                    if not skips:
                        yield from _line(path, number, data)
                    skips = False
                if len(rest) > MAX_LINE_BYTES:
                    if not skips:
                        yield _too_long(path, number + 1, rest)
                    skips, rest = True, b""
        except SourceError as error:
            raw = rest.decode("utf-8", "backslashreplace")
            yield Problem(f"{path}:{number + 1}", "", f"{error}; the records before are kept", raw)
            return
    if not skips:
        yield from _line(path, number + 1, rest)


def _line(path: Path, number: int, data: bytes) -> Iterator[Line]:
    if number == 1:
        data = data.removeprefix(_BOM)
    data = data.strip(b" \t\r")
    if data:
        yield Line(f"{path}:{number}", data)


def _too_long(path: Path, number: int, data: bytes) -> Problem:
    reason = f"the line is longer than {MAX_LINE_BYTES} bytes; a file has one record a line"
    return Problem(f"{path}:{number}", "", reason, data[:RAW_CHARS].decode("utf-8", "backslashreplace"))
