"""Writes the Parquet files that the scan and its peers read: the same bytes from the same arguments.

  generate.py events FOLDER ROWS   12 columns, one folder for each of 12 months, as a writer of Iceberg tables lays them out
  generate.py wide FOLDER ROWS     an id, a text of 200 characters and one of 2,000
"""
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

MONTHS, EVENTS_OF_ONE, GROUP = 12, 20, 200_000
SYLLABLES = ["lor", "ips", "dol", "con", "adi", "eli", "tem", "lab", "mag", "ven", "qui", "sed", "nos", "ull", "com", "dui"]
WORDS = pa.array([a + b for a in SYLLABLES for b in ("em", "um", "or", "ae", "is", "at", "en", "us", "ot", "ur", "ia", "es")])
LONG_WORDS = pa.array([a + b for a in SYLLABLES for b in WORDS.to_pylist()])
GIVEN = pa.array(["Alexa", "Jonas", "Mira", "Paul", "Samir", "Chen", "Lucia", "Oskar", "Nadia", "Tom", "Ines", "Kofi", "Vera", "Ruth"])
FAMILY = pa.array(["Reed", "Okafor", "Lindt", "Garcia", "Novak", "Tanaka", "Meyer", "Silva", "Kaur", "Dubois", "Rossi", "Berg", "Haas"])
AGENTS = pa.array([f"Mozilla/5.0 (X11; Linux x86_64; rv:{major}.0) Gecko/20100101 Firefox/{major}.0" for major in range(90, 130)])
KINDS = pa.array(["view", "play", "pause", "submit", "comment", "download"])


def pick(values, numbers):
    return pc.take(values, pa.array(numbers))


def text(*parts, between=""):
    parts = [part if isinstance(part, (pa.Array, pa.ChunkedArray, pa.Scalar)) else pa.scalar(part) for part in parts]
    return pc.binary_join_element_wise(*[pc.cast(part, pa.string()) for part in parts], between)


def sentence(rng, rows, count, words=WORDS):
    return text(*[pick(words, rng.integers(0, len(words), rows)) for _ in range(count)], between=" ")


def people_of(rng, rows):
    """Who each event is of, and in which month: everybody is active for three months, and ids are in no order."""
    learners = max(1, rows // EVENTS_OF_ONE)
    who = rng.integers(0, learners, rows)
    month = np.minimum(who * MONTHS // learners + rng.integers(0, 3, rows), MONTHS - 1)
    return rng.permutation(np.arange(1, learners + 1))[who], month


def events(rng, people, month, first):
    rows = len(people)
    # Seven digits, so that the first 15 characters of an email or a name are one person's alone.
    number = pc.utf8_lpad(pc.cast(pa.array(people), pa.string()), 7, "0")
    given, family = pick(GIVEN, people % len(GIVEN)), pick(FAMILY, people // len(GIVEN) % len(FAMILY))
    octets = [pa.array(rng.integers(1, 255, rows)) for _ in range(3)]
    begin, end = (int(np.datetime64("2025-01", "M").astype(int) + at) for at in (month, month + 1))
    micros = [np.datetime64(at, "M").astype("datetime64[us]").astype(np.int64) for at in (begin, end)]
    return pa.table({
        "event_id": pa.array(np.arange(first, first + rows)),
        "learner_id": pa.array(people),
        "email": text(number, ".", pc.utf8_lower(given), ".", pc.utf8_lower(family), "@post.example"),
        "full_name": text(given, number, family, between=" "),
        "ip_address": text("10", *octets, between="."),
        "user_agent": pick(AGENTS, people % len(AGENTS)),
        "course_id": pa.array(rng.integers(1, 400, rows).astype(np.int32)),
        "event_type": pick(KINDS, rng.integers(0, len(KINDS), rows)),
        "occurred_at": pa.array(rng.integers(*micros, rows)).cast(pa.timestamp("us", tz="UTC")),
        "duration_s": pa.array(np.round(rng.gamma(2.0, 60.0, rows), 1)),
        "page": text("/courses", pa.array(rng.integers(1, 400, rows)), "lessons", pa.array(rng.integers(1, 60, rows)), between="/"),
        "note": sentence(rng, rows, 10),
    })


def wide(rng, rows, first):
    return pa.table({
        "id": pa.array(np.arange(first, first + rows)),
        "title": pc.utf8_slice_codeunits(sentence(rng, rows, 40, LONG_WORDS), 0, 200),
        "body": pc.utf8_slice_codeunits(sentence(rng, rows, 400, LONG_WORDS), 0, 2000),
    })


def write(table, file, group):
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, file, compression="zstd", row_group_size=group, dictionary_pagesize_limit=2 << 20)


kind, folder, rows = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(20261001)
if kind == "events":
    people, months = people_of(rng, rows)
    first = 1
    for month in range(MONTHS):
        table = events(rng, people[months == month], month, first)
        first += table.num_rows
        write(table, folder / f"occurred_month=2025-{month + 1:02}" / "00000.parquet", GROUP)
else:
    each = rows // 8
    for part in range(8):
        write(wide(rng, each, 1 + part * each), folder / f"{part:05}.parquet", 25_000)
