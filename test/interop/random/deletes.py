"""How other engines delete rows: files written again, positions, values, and vectors."""

import json
import struct
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
from pyroaring import BitMap

from people import PEOPLE, mark
from schema import EMAIL, PERSON
from values import arrow_field
from writer import DataFile

PATH_ID, POSITION_ID = 2147483546, 2147483545


def copy_on_write(table):
    """Another engine's delete of one person: its deleted entries keep their bounds."""
    person = mark(table.random.choice(PEOPLE))
    named = lambda row: person in (row.get(EMAIL) or "")
    now = [file for file in table.files() if file.is_data and file.schema == table.columns and not file.hidden]
    gone = [file for file in now if any(map(named, file.rows))]
    left = [(file, [row for row in file.rows if not named(row)]) for file in gone]
    table.commit("overwrite", [table.write_data(rows, file.partition, file.spec) for file, rows in left if rows], gone)


def position_delete(table):
    """Hides rows of one partition, by a file that names positions."""
    data = [file for file in table.files() if file.is_data]
    one = table.random.choice(data)
    named = []
    for file in data:
        if (file.spec, file.partition) == (one.spec, one.partition):
            some = [at for at in range(len(file.rows)) if table.random.random() < 0.3]
            named += [(table.spelled(file.path), at, file) for at in some]
    if not named:
        return
    named.sort(key=lambda row: row[:2])
    fields = [arrow_field("file_path", "string", False, PATH_ID), arrow_field("pos", "long", False, POSITION_ID)]
    path = table.new_path()
    columns = [pa.array([row[0] for row in named]), pa.array([row[1] for row in named], pa.int64())]
    pq.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields)), path)
    for _, at, file in named:
        file.hidden.add(at)
    bounds = {"lower_bounds": {PATH_ID: named[0][0].encode()}, "upper_bounds": {PATH_ID: named[-1][0].encode()}}
    table.commit("delete", [DataFile(path, one.spec, one.partition, content=1, record_count=len(named), **bounds)])


def equality_delete(table):
    """Hides rows with the values of some row, in its partition, or everywhere where the table has none."""
    columns = [table.column(at) for at in table.random.choice([[PERSON], [EMAIL], [PERSON, EMAIL]])]
    spec = len(table.specs) - 1
    near = [file for file in table.files() if file.is_data and (file.spec == spec or not table.specs[spec])]
    if not any(file.rows for file in near):
        return
    one = table.random.choice([file for file in near if file.rows])
    partition = one.partition if table.specs[spec] else ()
    key = lambda row: tuple(row.get(column["id"]) for column in columns)
    keys = {key(table.random.choice(one.rows))}
    for file in near:
        if not table.specs[spec] or file.partition == partition:
            file.hidden |= {at for at, row in enumerate(file.rows) if key(row) in keys}
    ids = [column["id"] for column in columns]
    path = table.write_parquet(columns, [dict(zip(ids, key)) for key in keys])
    table.commit("delete", [DataFile(path, spec, partition, content=2, record_count=len(keys), equality_ids=ids)])


def deletion_vectors(table):
    """Hides rows of some files by vectors that share one Puffin file."""
    vectors, puffin, blobs, old = [], b"PFA1", [], []
    data = [file for file in table.files() if file.is_data]
    for file in table.random.sample(data, min(len(data), 2)):
        positions = {at for at in range(len(file.rows)) if table.random.random() < 0.3}
        for other in table.files():
            if other.entry.get("referenced_data_file") == table.spelled(file.path):
                old.append(other)
                positions |= other.positions
        if not positions:
            continue
        vector = b"\xd1\xd3\x39\x64" + struct.pack("<QI", 1, 0) + BitMap(sorted(positions)).serialize()
        blob = struct.pack(">I", len(vector)) + vector + struct.pack(">I", zlib.crc32(vector))
        place = {"offset": len(puffin), "length": len(blob)}
        properties = {"referenced-data-file": table.spelled(file.path), "cardinality": str(len(positions))}
        kind = {"type": "deletion-vector-v1", "fields": [POSITION_ID], "snapshot-id": -1, "sequence-number": -1}
        blobs.append({**kind, **place, "properties": properties})
        vectors.append((file, positions, place))
        puffin += blob
        file.hidden |= positions
    footer = json.dumps({"blobs": blobs}).encode()
    path = table.new_path("puffin")
    with open(path, "wb") as out:
        out.write(puffin + b"PFA1" + footer + struct.pack("<II", len(footer), 0) + b"PFA1")
    added = []
    for file, positions, place in vectors:
        where = {"content_offset": place["offset"], "content_size_in_bytes": place["length"]}
        named = {"referenced_data_file": table.spelled(file.path), "file_format": "PUFFIN"}
        added.append(DataFile(path, file.spec, file.partition, content=1, record_count=len(positions), **where, **named))
        added[-1].positions = positions
    if added:
        table.commit("delete", added, old)
