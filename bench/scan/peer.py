"""Searches the Parquet files of a folder as a Python engineer would, and prints the CPU seconds, the peak and what it found.

  peer.py polars|characters|bytes FOLDER SOUGHT

SOUGHT is a JSON file: {"texts": [...], "ids": [...], "textColumns": [...], "idColumns": [...]}. DuckDB only decodes the columns and
takes the greatest length, which it counts in characters or, what is the least that SQL can do with them, in bytes.
"""
import json
import os
import pathlib
import resource
import sys

peer, folder, sought = sys.argv[1], pathlib.Path(sys.argv[2]), json.loads(pathlib.Path(sys.argv[3]).read_text())
THREADS = "2"
os.environ["POLARS_MAX_THREADS"] = THREADS
texts, ids = sought["texts"], sought["ids"]
files = sorted(folder.rglob("*.parquet"))


def polars():
    import polars as pl

    # Case of ASCII alone: no function of it folds other letters for many patterns.
    tests = [pl.col(name).str.contains_any(texts, ascii_case_insensitive=True).any() for name in sought["textColumns"]]
    tests += [pl.col(name).is_in(ids).any().alias(name) for name in sought["idColumns"]] if ids else []
    return [str(file.relative_to(folder)) for file in files
            if any(pl.scan_parquet(file, hive_partitioning=False).select(*tests).collect(engine="streaming").row(0))]


def duckdb(length):
    import duckdb as db

    db.sql(f"SET threads = {THREADS}")
    of = [f'max({length}("{name}"))' for name in sought["textColumns"]] + ([f'max("{name}")' for name in sought["idColumns"]] if ids else [])
    for file in files:
        db.execute(f"SELECT {', '.join(of)} FROM read_parquet(?, hive_partitioning = false)", [str(file)]).fetchall()
    return None


holding = polars() if peer == "polars" else duckdb("length" if peer == "characters" else "strlen")
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1024, "holding": holding}))
