"""Looks for one learner in every file of a warehouse, each with its own format's reader, and in the text of rows that stay."""
import os

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.avro.file import AvroFile
from pyiceberg.typedef import Record

BEGINNING = 15  # a bound of 16 characters keeps this much of a largest value unchanged


class Traces:
    """The beginnings of the learner's values, and their ids by column. In `kept` tables the ids are expected."""

    def __init__(self, texts, ids, kept):
        self.texts = sorted({text[:BEGINNING].lower() for text in texts})
        self.ids, self.kept = ids, kept
        self.as_bytes = {value.to_bytes(8, "little", signed=True) for values in ids.values() for value in values}

    def leave_out(self, is_shared):
        self.texts = [trace for trace in self.texts if not is_shared(trace)]

    def in_text(self, text):
        lower = text.lower()
        return any(trace in lower for trace in self.texts)

    def in_column(self, column):
        folded = pc.utf8_lower(column)
        return [pc.match_substring(folded, trace) for trace in self.texts]


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def mentions(rows, traces):
    """Rows whose text names the learner."""
    total = 0
    for name in rows.column_names:
        if is_text(rows.schema.field(name).type):
            total += sum(pc.sum(found).as_py() or 0 for found in traces.in_column(rows[name]))
    return total


def holds_parquet(path, table, traces):
    file = pq.ParquetFile(path)
    footer = [value.decode("utf-8", "replace") for value in (file.schema_arrow.metadata or {}).values()]
    if any(traces.in_text(value) for value in footer):
        return True
    for group in file.iter_batches(use_threads=False):
        for column, field in zip(group.columns, group.schema):
            ids = traces.ids.get(field.name)
            if ids and table not in traces.kept and pc.any(pc.is_in(column, pa.array(ids, column.type))).as_py():
                return True
            if is_text(field.type) and any(pc.any(found).as_py() for found in traces.in_column(column)):
                return True
    return False


def holds_avro(path, io, table, traces):
    def holds(value):
        if isinstance(value, str):
            return traces.in_text(value)
        if isinstance(value, bytes):
            return (table not in traces.kept and value in traces.as_bytes) or traces.in_text(value.decode("utf-8", "replace"))
        if isinstance(value, dict):
            return any(holds(key) or holds(inner) for key, inner in value.items())
        if isinstance(value, Record):
            return any(holds(value[at]) for at in range(len(value)))
        return isinstance(value, (list, tuple)) and any(holds(inner) for inner in value)

    with AvroFile(io.new_input(path)) as records:
        return any(holds(value) for value in records.header.meta.values()) or any(holds(record) for record in records)


def holds_text(path, traces):
    with open(path, "rb") as file:
        return traces.in_text(file.read().decode("utf-8", "replace"))


def scan(warehouse, io, traces):
    """Files read, and those that hold the learner, for each table."""
    report = {}
    for folder, _, files in os.walk(warehouse):
        table = ".".join(os.path.relpath(folder, warehouse).split(os.sep)[:2])
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith(".parquet"):
                found = holds_parquet(path, table, traces)
            elif file.endswith(".avro"):
                found = holds_avro(path, io, table, traces)
            else:
                found = holds_text(path, traces)
            read, holding = report.get(table, (0, []))
            report[table] = (read + 1, [*holding, path] if found or traces.in_text(os.path.relpath(path, warehouse)) else holding)
    return report
