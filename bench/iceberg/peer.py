"""One work of the bench as PyIceberg does it. The table's newest metadata file is registered in a catalog of this process.

  peer.py delete METADATA IDS    Table.delete of the people in IDS, a JSON list
  peer.py rewrite METADATA       statistics off for personal columns, then all data written again
  peer.py expire METADATA        all snapshots but the current one, then every file that nothing names any more
  peer.py check METADATA IDS     not measured: what is in the table now, read file by file with DuckDB
  peer.py holding METADATA IDS   not measured: the data files that hold one of the people

Prints {"cpu": seconds, user and system, "peak": MB, "result": …}.
"""
import json
import os
import resource
import sys
import warnings

import pyarrow as pa

THREADS = 2
pa.set_cpu_count(THREADS)
pa.set_io_thread_count(THREADS)
os.environ["PYICEBERG_MAX_WORKERS"] = str(THREADS)
warnings.simplefilter("ignore")

from pyiceberg.catalog.sql import SqlCatalog  # noqa: E402
from pyiceberg.expressions import In  # noqa: E402
from pyiceberg.table import StaticTable  # noqa: E402

from named_files import named_files, path_of  # noqa: E402

PERSONAL = ("email", "full_name", "ip_address", "user_agent", "note")


def registered(metadata):
    catalog = SqlCatalog("bench", uri="sqlite:///:memory:", warehouse="file:///nowhere")
    catalog.create_namespace("learning")
    return catalog.register_table("learning.events", metadata)


def delete(table, ids):
    table.delete(In("learner_id", ids))


def rewrite(table):
    with table.transaction() as change:
        change.set_properties({f"write.metadata.metrics.column.{name}": "none" for name in PERSONAL})
    table.overwrite(table.scan().to_arrow())


def expire(table):
    current = table.current_snapshot().snapshot_id
    table.maintenance.expire_snapshots().by_ids([s.snapshot_id for s in table.snapshots() if s.snapshot_id != current]).commit()
    table.refresh()
    named = named_files(table)
    removed = 0
    for folder, _, files in os.walk(path_of(table.location())):
        for file in files:
            if os.path.join(folder, file) not in named:
                os.unlink(os.path.join(folder, file))
                removed += 1
    return removed


def check(metadata, ids):
    """Rows, a sum over all their values that no order changes, and how many are of the people."""
    import duckdb
    table = StaticTable.from_metadata(metadata)
    files = [path_of(task.file.file_path) for task in table.scan().plan_files()]
    columns = ", ".join(field.name for field in table.schema().fields)
    duckdb.execute("SET threads = 2; SET TimeZone = 'UTC'")
    rows, total, people = duckdb.execute(
        f"SELECT count(*), sum(hash({columns})::HUGEINT), count_if(learner_id IN (SELECT unnest(?))) FROM read_parquet(?, hive_partitioning = false)",
        [ids, files]).fetchone()
    return {"rows": rows, "sum": str(total), "people": people, "files": len(files), "snapshots": len(table.snapshots())}


def holding(metadata, ids):
    import duckdb
    files = [path_of(task.file.file_path) for task in StaticTable.from_metadata(metadata).scan().plan_files()]
    return [file for file, in duckdb.execute(
        "SELECT DISTINCT filename FROM read_parquet(?, hive_partitioning = false, filename = true) WHERE learner_id IN (SELECT unnest(?)) ORDER BY 1",
        [files, ids]).fetchall()]


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    what, metadata, *rest = sys.argv[1:]
    arguments = [json.loads(argument) for argument in rest]
    if what in ("check", "holding"):
        print(json.dumps({"check": check, "holding": holding}[what](metadata, *arguments)))
        return
    table = registered(metadata)
    before = cpu()
    result = {"delete": delete, "rewrite": rewrite, "expire": expire}[what](table, *arguments)
    taken = cpu() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": taken, "peak": peak, "result": result}))


if __name__ == "__main__":
    main()
