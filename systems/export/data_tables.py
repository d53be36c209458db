"""Tables of what happened: CSV always, Parquet where pyarrow is installed. Units are in the names of the columns."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.errors import PaludariumError
from ...engine.files import written_whole
from .observations import Columns, unit_of, words_of

if TYPE_CHECKING:
    from .motion_recorder import Recorder

TABLES = ("trajectories", "segments", "legs", "brain")


def write_tables(recorder: Recorder, folder: Path, parquet: bool | None = None) -> list[Path]:
    """Write one file per table and format; return them. `parquet` None means: if pyarrow is there."""
    arrow = _arrow(parquet)
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name in ("creatures", *TABLES):
        columns = _creatures(recorder) if name == "creatures" else joined(recorder, name)
        files.append(folder / f"{name}.csv")
        with written_whole(files[-1]) as file:
            file.write(_csv(columns))
        if arrow is not None:
            files.append(folder / f"{name}.parquet")
            with written_whole(files[-1]) as file:
                _write_parquet(arrow, columns, recorder, file)
    return files


def joined(recorder: Recorder, name: str) -> Columns:
    """One table over all frames, with tick and time in front.

    Example::

        speed = joined(recorder, "trajectories")["speed_u_per_s"]
    """
    tables = [frame.tables[name] for frame in recorder.frames]
    counts = [len(table["creature"]) for table in tables]
    columns = {
        "tick": np.repeat([frame.tick for frame in recorder.frames], counts),
        "time_s": np.repeat([frame.time for frame in recorder.frames], counts),
    }
    words = words_of(recorder.world)
    for column in tables[0]:
        values = np.concatenate([table[column] for table in tables])
        columns[column] = np.array(words[column])[values] if column in words else values
    return columns


def _creatures(recorder: Recorder) -> Columns:
    """Who is who: the serial numbers of the other tables with names and species."""
    known = {plan.serial: plan for plan in reversed(recorder.plans)}
    serials = sorted(known)
    return {
        "creature": np.array(serials, dtype=np.int64),
        **{name: np.array([getattr(known[serial], name) for serial in serials], dtype=np.str_)
           for name in ("name", "species", "family")},
        "segments": np.array([known[serial].segments for serial in serials], dtype=np.int64),
    }  # fmt: skip


def _csv(columns: Columns) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(_plain(values) for values in columns.values()), strict=True))
    return text.getvalue().encode()


def _plain(values: Any) -> list[Any]:
    """Values as CSV holds them: the shortest text that reads back as the same number, nothing for NaN."""
    if values.dtype.kind == "f":
        return ["" if value != value else repr(value) for value in values.tolist()]
    return [int(value) for value in values.tolist()] if values.dtype.kind == "b" else values.tolist()


def _arrow(parquet: bool | None) -> Any:
    """pyarrow, or None if Parquet is not wanted."""
    if parquet is False:
        return None
    try:
        import pyarrow  # pyright: ignore[reportMissingImports]  # of the extra `export`
        import pyarrow.parquet  # pyright: ignore[reportMissingImports]  # the same
    except ImportError:
        if parquet:
            raise PaludariumError('tables as Parquet need pyarrow: pip install "paludarium[export]"') from None
        return None
    return pyarrow


def _write_parquet(arrow: Any, columns: Columns, recorder: Recorder, file: Any) -> None:
    """One Parquet file; every field's metadata says its unit."""
    arrays = {name: arrow.array(values.astype(object) if values.dtype.kind == "U" else values)
              for name, values in columns.items()}  # fmt: skip
    fields = [arrow.field(name, array.type, metadata={"unit": unit_of(name)} if unit_of(name) else None)
              for name, array in arrays.items()]  # fmt: skip
    world = recorder.world
    about = {"seed": str(world.seed), "map": world.map.name, "ticks_per_second": str(world.tick_rate)}
    table = arrow.Table.from_arrays(list(arrays.values()), schema=arrow.schema(fields, metadata=about))
    arrow.parquet.write_table(table, file)
