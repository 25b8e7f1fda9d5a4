"""Reads what is left of a table: the files by hand, with nobody's Iceberg, and the rows by PyIceberg where it can."""

import json
import os
import re
import struct

import pyarrow.parquet as pq
from pyiceberg.table import StaticTable
from pyroaring import BitMap

import avro
from schema import KEY, mode_of
from values import by_name, canonical

ROW_ID = 2147483540


def local(location):
    return re.sub("^file:(//)?", "", location)


class State:
    """The newest state of a table."""

    def __init__(self, folder):
        names = [name for name in os.listdir(f"{folder}/metadata") if re.fullmatch(r"v\d+\.metadata\.json", name)]
        self.metadata_file = f"{folder}/metadata/{max(names, key=lambda name: int(name[1:].split('.')[0]))}"
        with open(self.metadata_file) as document:
            self.metadata = json.load(document)
        self.schema = next(s for s in self.metadata["schemas"] if s["schema-id"] == self.metadata["current-schema-id"])
        self.specs = {spec["spec-id"]: spec["fields"] for spec in self.metadata["partition-specs"]}
        log = [entry["metadata-file"] for entry in self.metadata["metadata-log"]]
        self.named = {self.metadata_file, f"{folder}/metadata/version-hint.text", *map(local, log)}
        self.entries = []
        for snapshot in self.metadata["snapshots"]:
            entries = self.snapshot_entries(snapshot)
            if snapshot["snapshot-id"] == self.metadata["current-snapshot-id"]:
                self.entries = entries

    def snapshot_entries(self, snapshot):
        entries = []
        for manifest in self.avro(snapshot["manifest-list"]):
            next_row = manifest.get(520)
            for entry in self.avro(manifest[500]):
                file = entry[2]
                sequence = manifest.get(515, 0) if entry.get(3) is None else entry[3]
                first_row = file.get(142)
                if next_row is not None and first_row is None and entry[0] != 2 and file[134] == 0:
                    first_row = next_row
                    next_row += file[103]
                partition = tuple(self.partition_value(field, file) for field in self.specs[manifest[502]])
                entries.append(Entry(entry[0], sequence, first_row, file, manifest[502], partition))
                if entry[0] != 2:
                    self.named.add(local(file[100]))
        return entries

    def partition_value(self, field, file):
        value = file[102][field["field-id"]]
        # As many bytes as the decimal had digits when it was written.
        decimals = {column["id"] for column in self.schema["fields"] if str(column["type"]).startswith("decimal")}
        if isinstance(value, bytes) and field["source-id"] in decimals:
            return int.from_bytes(value, "big", signed=True)
        return value

    def avro(self, location):
        self.named.add(local(location))
        with open(local(location), "rb") as file:
            return avro.read(file.read())

    def rows(self):
        live = [entry for entry in self.entries if entry.status != 2]
        deletes = [entry for entry in live if entry.content]
        rows = []
        for entry in live:
            if entry.content:
                continue
            held = self.file_rows(entry, self.schema["fields"])
            hidden = set().union(*(self.hidden(entry, delete) for delete in deletes))
            for at, row in enumerate(held):
                own = row.pop("row id")
                row["row id"] = None if entry.first_row is None else entry.first_row + at if own is None else own
            rows += [row for at, row in enumerate(held) if at not in hidden]
        return rows

    def hidden(self, data, delete):
        """Positions in a data file that a delete file hides."""
        near = (data.spec, data.partition) == (delete.spec, delete.partition)
        if delete.content == 2:
            if data.sequence >= delete.sequence or not (near or not self.specs[delete.spec]):
                return set()
            columns = [column for column in self.schema["fields"] if column["id"] in delete.file[135]]
            keys = [row | {"row id": None} for row in self.file_rows(delete, columns)]
            return {at for at, row in enumerate(self.file_rows(data, columns)) if row | {"row id": None} in keys}
        if not near or data.sequence > delete.sequence:
            return set()
        if delete.file[101].lower() == "puffin":
            if local(delete.file[143]) != data.path:
                return set()
            with open(delete.path, "rb") as puffin:
                puffin.seek(delete.file[144])
                return set(BitMap.deserialize(puffin.read(delete.file[145])[20:-4]))
        positions = pq.read_table(delete.path).to_pylist()
        return {row["pos"] for row in positions if local(row["file_path"]) == data.path}

    def file_rows(self, entry, columns):
        table = pq.ParquetFile(entry.path).read()
        if table.num_rows != entry.file[103] or os.path.getsize(entry.path) != entry.file[104]:
            raise ValueError(f"{entry.path} is not as large as its manifest says")
        has_ids = any(map(field_id, table.schema))
        names = None if has_ids else json.loads(self.metadata["properties"]["schema.name-mapping.default"])
        found = {id_of(field, names): (field, table.column(at).to_pylist()) for at, field in enumerate(table.schema)}
        rows = [{} for _ in range(table.num_rows)]
        for column in columns:
            field, values = found.get(column["id"], (None, [None] * table.num_rows))
            inside = inner_names(names, column["id"])
            for row, value in zip(rows, values):
                row[column["id"]] = None if value is None else by_id(field.type, column["type"], value, inside)
        for row, value in zip(rows, found.get(ROW_ID, (None, [None] * table.num_rows))[1]):
            row["row id"] = value
        return rows


class Entry:
    def __init__(self, status, sequence, first_row, file, spec, partition):
        self.status, self.sequence, self.first_row, self.file = status, sequence, first_row, file
        self.spec, self.partition = spec, partition
        self.content, self.path = file.get(134, 0), local(file[100])


def field_id(field):
    found = (field.metadata or {}).get(b"PARQUET:field_id")
    return None if found is None else int(found)


def id_of(field, names):
    if names is None:
        return field_id(field)
    return next((entry["field-id"] for entry in names if field.name in entry["names"]), None)


def inner_names(names, at):
    return None if names is None else next((entry["fields"] for entry in names if entry["field-id"] == at), [])


def by_id(arrow, kind, value, names):
    """A value of a file in the canonical form, its fields found by id."""
    if value is None or isinstance(kind, str):
        return canonical(kind, value)
    if kind["type"] == "struct":
        found = {id_of(arrow.field(at), names): arrow.field(at) for at in range(arrow.num_fields)}
        inside = {}
        for field in kind["fields"]:
            there = found.get(field["id"])
            inner = None if there is None else value[there.name]
            deeper = inner_names(names, field["id"])
            inside[field["id"]] = None if inner is None else by_id(there.type, field["type"], inner, deeper)
        return inside
    if kind["type"] == "list":
        inside = inner_names(names, kind["element-id"])
        return [by_id(arrow.value_type, kind["element"], item, inside) for item in value]
    keys, values = inner_names(names, kind["key-id"]), inner_names(names, kind["value-id"])
    key_of = lambda key: by_id(arrow.key_type, kind["key"], key, keys)
    return [(key_of(key), by_id(arrow.item_type, kind["value"], item, values)) for key, item in value]


def named_rows(table, columns):
    """The rows of an Arrow table whose columns are the schema's, in its order."""
    held = [table.column(at).to_pylist() for at in range(table.num_columns)]
    pairs = list(zip(columns, held))
    return [{column["id"]: by_name(column["type"], values[row]) for column, values in pairs} for row in range(table.num_rows)]


def without_empty(kind, value):
    """PyIceberg 0.12.0 reads a null list or map of an older schema as an empty one."""
    if isinstance(kind, str):
        return value
    if kind["type"] == "struct":
        return None if value is None else {f["id"]: without_empty(f["type"], value[f["id"]]) for f in kind["fields"]}
    if kind["type"] == "list":
        return [without_empty(kind["element"], item) for item in value or []]
    return [(key, without_empty(kind["value"], item)) for key, item in value or []]


def difference(wanted, found, row_ids=False):
    """What two lists of rows, in any order, do not share; None where they are equal."""
    text = lambda row: repr(sorted((str(key), value) for key, value in row.items() if row_ids or key != "row id"))
    wanted, found = sorted(map(text, wanted)), sorted(map(text, found))
    if wanted == found:
        return None
    missing, extra = ([row for row in rows if row not in others][:1] for rows, others in [(wanted, found), (found, wanted)])
    return f"{len(wanted)} rows wanted, {len(found)} found; {missing} is {extra}"


def everything(path):
    """All that a file says, unpacked."""
    with open(path, "rb") as file:
        raw = file.read()
    parts = [path.encode(), raw]
    if raw[:4] == b"PAR1":
        gather(pq.ParquetFile(path).read().to_pylist(), parts)
    elif raw[:4] == avro.MAGIC:
        gather(avro.read(raw), parts)
    return b"\n".join(parts)


def gather(value, parts):
    if isinstance(value, (bytes, str)):
        parts.append(value.encode() if isinstance(value, str) else value)
    elif isinstance(value, dict):
        for item in value.values():
            gather(item, parts)
    elif isinstance(value, (list, tuple)):
        for item in value:
            gather(item, parts)


def faults_of(table, plan):
    """What is wrong with what is left of a table."""
    state = State(table.path)
    faults = []
    if wrong := difference(plan.rows, state.rows(), row_ids=table.version > 2):
        faults.append(f"rows: {wrong}")
    files = {os.path.join(folder, name) for folder, _, names in os.walk(table.path) for name in names}
    if stray := files - state.named:
        faults.append(f"nobody names {sorted(stray)}")
    if missing := state.named - files:
        faults.append(f"gone: {sorted(missing)}")
    if len(state.metadata["snapshots"]) > 1 or any(entry.status == 2 for entry in state.entries):
        faults.append("an old snapshot or a deleted entry is left")
    for file in sorted(files):
        found = everything(file)
        faults += [f"{file} names a person" for mark in plan.marks() if mark in found]
    for entry in state.entries:
        if entry.content or entry.status == 2:
            continue
        order = [row[KEY] for row in state.file_rows(entry, state.schema["fields"])]
        if order != sorted(order):
            faults.append(f"{entry.path} is not in its order")
    faults += [f"bound of {column} is kept" for entry in state.entries for column in unwanted(state, entry)]
    if not any(entry.content == 2 for entry in state.entries):
        scanned = StaticTable.from_metadata(state.metadata_file).scan().to_arrow()
        kind = {"type": "struct", "fields": state.schema["fields"]}
        plain = lambda rows: [without_empty(kind, row) for row in rows]
        if wrong := difference(plain(plan.rows), plain(named_rows(scanned, state.schema["fields"]))):
            faults.append(f"PyIceberg: {wrong}")
    return faults


def unwanted(state, entry):
    """Columns whose statistics are off and whose bounds are there all the same."""
    bounds = {item[126] for item in entry.file[125] or []} | {item[129] for item in entry.file[128] or []}
    off = ("none", "counts")
    for column in state.schema["fields"]:
        if column["id"] in bounds and state.metadata["properties"].get(mode_of(column)) in off:
            yield column["name"]
