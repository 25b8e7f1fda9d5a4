"""Makes a table of the bench with PyIceberg: the same rows from the same arguments, every time.

  make.py events FOLDER ROWS            12 columns, a partition for each of 12 months, ids in no order
  make.py files FOLDER ROWS FILES       the same rows, unpartitioned, in about FILES data files

Prints {"metadata": the newest metadata file, "files": its data files, "rows": its rows}.
"""
import json
import os
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import MonthTransform
from pyiceberg.types import DoubleType, IntegerType, LongType, NestedField, StringType, TimestamptzType

MONTHS, EVENTS_OF_ONE = 12, 20
COLUMNS = [
    ("event_id", LongType()), ("learner_id", LongType()), ("email", StringType()), ("full_name", StringType()),
    ("ip_address", StringType()), ("user_agent", StringType()), ("course_id", IntegerType()), ("kind", StringType()),
    ("occurred_at", TimestamptzType()), ("seconds", DoubleType()), ("page", StringType()), ("note", StringType()),
]
SCHEMA = Schema(*[NestedField(at, name, kind) for at, (name, kind) in enumerate(COLUMNS, 1)])
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "we"]
WORDS = pa.array([a + b + c for a in SYLLABLES for b in SYLLABLES for c in ("n", "r", "st")])
NAMES = pa.array([(a + b).title() for a in SYLLABLES for b in SYLLABLES])
AGENTS = pa.array([f"Reader/{major}.{minor} (learning; {system})" for major in range(4) for minor in range(5)
                   for system in ("desktop", "tablet", "phone")])
KINDS = pa.array(["open", "watch", "answer", "submit", "comment"])


def text(*parts, between=""):
    return pc.binary_join_element_wise(*[pc.cast(part, pa.string()) if not isinstance(part, str) else part for part in parts], between)


def pick(values, numbers):
    return pc.take(values, pa.array(numbers))


def rows_of(rng, month, people, first):
    """Events of a month by some people, in a random order."""
    count = len(people)
    people = rng.permutation(people)
    start = np.datetime64("2025-01", "M") + month
    low, high = (at.astype("datetime64[us]").astype(np.int64) for at in (start, start + 1))
    given, family = pick(NAMES, people % 256), pick(NAMES, (people * 7) % 256)
    octets = [pa.array(rng.integers(1, 255, count)) for _ in range(3)]
    note = [pick(WORDS, rng.integers(0, len(WORDS), count)) for _ in range(9)]
    number = pa.array(people)
    return pa.table({
        "event_id": pa.array(np.arange(first, first + count)),
        "learner_id": number,
        "email": text(pc.utf8_lower(given), number, pa.scalar("mail.example"), between="@"),
        "full_name": text(given, family, between=" "),
        "ip_address": text(pa.scalar("10"), *octets, between="."),
        "user_agent": pick(AGENTS, people % 60),
        "course_id": pa.array(rng.integers(1, 300, count).astype(np.int32)),
        "kind": pick(KINDS, rng.integers(0, 5, count)),
        "occurred_at": pa.array(rng.integers(low, high, count), pa.timestamp("us", tz="UTC")),
        "seconds": pa.array(np.round(rng.exponential(90.0, count), 1)),
        "page": text(pa.scalar("/course"), pa.array(rng.integers(1, 300, count)), pa.array(rng.integers(1, 80, count)), between="/"),
        "note": text(*note, between=" "),
    })


def months(rows):
    """Each person learns for three months in a row; their number says nothing of when."""
    rng = np.random.default_rng(20261001)
    people = rows // EVENTS_OF_ONE
    number = rng.permutation(np.arange(1, people + 1))
    who = rng.integers(0, people, rows)
    month = np.minimum(who * MONTHS // people + rng.integers(0, 3, rows), MONTHS - 1)
    first = 1
    for at in range(MONTHS):
        part = rows_of(rng, at, number[who[month == at]], first)
        first += part.num_rows
        yield part


def open_table(folder, spec=PartitionSpec(), **properties):
    os.makedirs(folder)
    catalog = SqlCatalog("bench", uri="sqlite:///:memory:", warehouse=f"file://{folder}")
    catalog.create_namespace("learning")
    return catalog.create_table("learning.events", SCHEMA, location=f"file://{folder}/learning/events", partition_spec=spec,
                                properties={"format-version": "2", **properties})


def make_events(folder, rows):
    month = PartitionField(source_id=9, field_id=1000, transform=MonthTransform(), name="occurred_month")
    table = open_table(folder, PartitionSpec(month))
    for part in months(rows):
        table.append(part)
    return table


def make_files(folder, rows, files):
    """A file's size is given in bytes of rows in memory."""
    sample = next(months(rows))
    size = sample.nbytes / sample.num_rows * rows / files
    table = open_table(folder, **{"write.target-file-size-bytes": str(int(size))})
    for part in months(rows):
        table.append(part)
    return table


def main():
    what, folder, *sizes = sys.argv[1:]
    make = {"events": make_events, "files": make_files}[what]
    table = make(folder, *map(int, sizes))
    tasks = list(table.scan().plan_files())
    print(json.dumps({"metadata": table.metadata_location, "files": len(tasks), "rows": sum(int(task.file.record_count) for task in tasks)}))


if __name__ == "__main__":
    main()
