"""A margin as a file: CSV, JSON or Parquet. A synthetic one says so in its name and in every row."""

from __future__ import annotations

import csv
import io
import json
import re

from discreet.release.service import Answer

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


def file_name(dataset: str, answer: Answer, format: str) -> str:
    parts = [dataset, *(answer.variables or ("total",)), *(["synthetic"] if answer.synthetic else [])]
    return "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", part) for part in parts)[:120] + f".{format}"


def as_file(answer: Answer, format: str) -> bytes:
    assert answer.margin is not None
    columns = answer.margin.columns()
    if format == "parquet":
        import pyarrow
        import pyarrow.parquet

        buffer = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table(columns), buffer)
        return buffer.getvalue()
    if format == "json":
        content = {
            "variables": list(answer.variables),
            "synthetic": answer.synthetic,
            "entry": answer.entry,
            "margin": answer.margin.rows(),
        }
        return json.dumps(content, ensure_ascii=False, indent=1).encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values()))
    return text.getvalue().encode()
