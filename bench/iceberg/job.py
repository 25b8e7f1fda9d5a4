"""The whole erasure of learner 3590 on the example platform as PyIceberg does it, with what it does not have written here.

  job.py WAREHOUSE

Delete from every table that has the learner's id, the texts of their reviews out of the corpus, clear the card of the payments that
are kept, build the courses' figures again, expire, remove what nothing names, and look into every file that is left. Prints the CPU
seconds and the peak of this process from its start, and the rows of every table.
"""
import glob
import json
import os
import resource
import warnings
from sys import argv

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.expressions import EqualTo, In

from named_files import named_files, path_of

warnings.simplefilter("ignore")
pa.set_cpu_count(2)
pa.set_io_thread_count(2)
os.environ["PYICEBERG_MAX_WORKERS"] = "2"

LEARNER = 3590
IDENTIFYING = ("full_name", "email", "phone", "street_address")
KEPT, CLEARED = "billing.payments", "card_number"
WHOSE = EqualTo("learner_id", LEARNER)


def newest(folder):
    return max(glob.glob(f"{folder}/metadata/v*.metadata.json"), key=lambda name: int(os.path.basename(name)[1:].split(".")[0]))


def open_all(warehouse):
    catalog = SqlCatalog("bench", uri="sqlite:///:memory:", warehouse=f"file://{warehouse}")
    for folder in sorted(glob.glob(f"{warehouse}/*/*/metadata")):
        namespace, name = folder.split("/")[-3:-1]
        catalog.create_namespace_if_not_exists(namespace)
        catalog.register_table(f"{namespace}.{name}", newest(os.path.dirname(folder)))
    return catalog, {f"{space[0]}.{name}": None for space in catalog.list_namespaces() for _, name in catalog.list_tables(space)}


def clean(table):
    current = table.current_snapshot()
    old = [snapshot.snapshot_id for snapshot in table.snapshots() if snapshot.snapshot_id != current.snapshot_id]
    if old:
        table.maintenance.expire_snapshots().by_ids(old).commit()
        table.refresh()
    named = named_files(table)
    for folder, _, files in os.walk(path_of(table.location())):
        for file in files:
            if os.path.join(folder, file) not in named:
                os.unlink(os.path.join(folder, file))


def holds(path, traces):
    """Whether a data file holds the learner's id or the beginning of one of their values, whatever its case."""
    for group in pq.ParquetFile(path).iter_batches():
        for column, name in zip(group.columns, group.schema.names):
            if name == "learner_id" and pc.any(pc.equal(column, LEARNER)).as_py():
                return True
            if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                folded = pc.utf8_lower(column)
                if any(pc.any(pc.match_substring(folded, trace)).as_py() for trace in traces):
                    return True
    return False


def manifest_holds(table, traces):
    for manifest in table.current_snapshot().manifests(table.io):
        for entry in manifest.fetch_manifest_entry(table.io, discard_deleted=False):
            for bounds in (entry.data_file.lower_bounds, entry.data_file.upper_bounds):
                for value in (bounds or {}).values():
                    if any(trace in value.decode("utf-8", "replace").lower() for trace in traces):
                        return True
    return False


def build_courses(tables):
    def counted(name, columns, *aggregates):
        return tables[name].scan(selected_fields=columns).to_arrow().group_by("course_id").aggregate(list(aggregates))
    built = tables["learning.courses"].scan(selected_fields=("course_id", "title")).to_arrow()
    for part in (counted("learning.enrollments", ("course_id", "enrollment_id", "completed_at"), ("enrollment_id", "count"), ("completed_at", "count")),
                 counted("learning.events", ("course_id", "event_id"), ("event_id", "count")),
                 counted("learning.reviews", ("course_id", "rating"), ("rating", "mean"))):
        built = built.join(part, "course_id")
    names = {"enrollment_id_count": "enrollments", "completed_at_count": "completions", "event_id_count": "events", "rating_mean": "average_rating"}
    built = built.rename_columns([names.get(name, name) for name in built.column_names])
    target = tables["analytics.course_performance"]
    target.overwrite(built.select([field.name for field in target.schema().fields]).cast(target.schema().as_arrow()))


def main():
    catalog, names = open_all(argv[1])
    tables = {name: catalog.load_table(name) for name in names}
    person = tables["crm.learners"].scan(row_filter=WHOSE, selected_fields=IDENTIFYING).to_arrow().to_pylist()
    traces = [value[:15].lower() for row in person for value in row.values() if value]
    reviews = tables["learning.reviews"].scan(row_filter=WHOSE, selected_fields=("review_id",)).to_arrow()["review_id"].to_pylist()
    if reviews:
        tables["ai.review_corpus"].delete(In("review_id", reviews))
    for name, table in tables.items():
        if "learner_id" not in table.schema().column_names:
            continue
        if name == KEPT:
            rows = table.scan(row_filter=WHOSE).to_arrow()
            if rows.num_rows:
                card = rows.schema.field(CLEARED)
                rows = rows.set_column(rows.schema.get_field_index(CLEARED), card, pa.nulls(rows.num_rows, card.type))
                table.overwrite(rows, overwrite_filter=WHOSE)
        else:
            table.delete(WHOSE)
    build_courses(tables)
    holding = 0
    for name, table in tables.items():
        clean(table)
        for path in glob.glob(f"{path_of(table.location())}/**/*.parquet", recursive=True):
            holding += name != KEPT and holds(path, traces)
        holding += manifest_holds(table, traces)
    used = resource.getrusage(resource.RUSAGE_SELF)
    rows = {name: table.scan().count() for name, table in tables.items()}
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1024, "result": {"holding": holding, "rows": rows}}))


if __name__ == "__main__":
    main()
