"""PyIceberg as a second implementation: reads what Lethe wrote, and writes what Lethe has to clean (see peer.ts)."""

import os
from datetime import datetime, timezone
from pathlib import Path

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.conversions import from_bytes
from pyiceberg.expressions import EqualTo
from pyiceberg.table import StaticTable


def newest_metadata(table: Path) -> Path:
    """The metadata file that version-hint.text names, by the rule of Iceberg's own file-system catalog."""
    folder = table / "metadata"
    version = int((folder / "version-hint.text").read_text())
    while (folder / f"v{version + 1}.metadata.json").exists():
        version += 1
    return folder / f"v{version}.metadata.json"


def tables_under(warehouse: str) -> dict[str, Path]:
    root = Path(warehouse)
    folders = sorted(hint.parent.parent for hint in root.rglob("metadata/version-hint.text"))
    return {".".join(folder.relative_to(root).parts): folder for folder in folders}


def plain(value):
    """A bound as JSON can hold it."""
    return value if value is None or isinstance(value, (str, bool)) else str(value)


def bounds_of(table) -> list[dict]:
    """Every manifest entry of every snapshot, deleted ones too, with its bounds decoded by the table's schema."""
    seen, entries = set(), []
    for snapshot in table.snapshots():
        for manifest in snapshot.manifests(table.io):
            if manifest.manifest_path in seen:
                continue
            seen.add(manifest.manifest_path)
            for entry in manifest.fetch_manifest_entry(table.io, discard_deleted=False):
                decode = lambda bounds: {
                    table.schema().find_column_name(field): plain(
                        from_bytes(table.schema().find_field(field).field_type, value)
                    )
                    for field, value in (bounds or {}).items()
                }
                entries.append(
                    {
                        "manifest": manifest.manifest_path,
                        "status": int(entry.status),
                        "lower": decode(entry.data_file.lower_bounds),
                        "upper": decode(entry.data_file.upper_bounds),
                    }
                )
    return entries


def describe(table) -> dict:
    snapshot = table.current_snapshot()
    return {
        "formatVersion": table.metadata.format_version,
        "snapshots": [str(one.snapshot_id) for one in table.snapshots()],
        "current": None if snapshot is None else str(snapshot.snapshot_id),
        "properties": dict(table.properties),
        "columns": [[field.name, str(field.field_type)] for field in table.schema().fields],
        "entries": bounds_of(table),
    }


def write_rows(rows: pa.Table, path: str) -> None:
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, rows.schema) as writer:
        writer.write_table(rows)


def read(warehouse: str, out: str) -> dict:
    """Reads every table of a directory catalog; the rows of each go to OUT/table.arrow."""
    os.makedirs(out, exist_ok=True)
    result = {}
    for name, folder in tables_under(warehouse).items():
        table = StaticTable.from_metadata(str(newest_metadata(folder)))
        write_rows(table.scan().to_arrow(), os.path.join(out, f"{name}.arrow"))
        result[name] = describe(table)
    return result


def referenced(table) -> set[str]:
    """What the metadata still names, the way the chapter's sweep finds it."""
    files = {table.metadata_location, *(entry.metadata_file for entry in table.metadata.metadata_log)}
    for snapshot in table.snapshots():
        files.add(snapshot.manifest_list)
        for manifest in snapshot.manifests(table.io):
            files.add(manifest.manifest_path)
            for entry in manifest.fetch_manifest_entry(table.io, discard_deleted=True):
                files.add(entry.data_file.file_path)
    return {file.removeprefix("file://") for file in files}


def erase(rows: str, folder: str, table: str, column: str, person: int) -> dict:
    """Makes a table with default statistics, deletes one person, expires and sweeps: the chapter's whole clean-up."""
    os.makedirs(folder)
    # Table folders without the usual `.db`, so that a directory catalog finds them under their names.
    catalog = SqlCatalog("peer", uri=f"sqlite:///{folder}.db", warehouse=folder)
    namespace, _ = table.split(".")
    catalog.create_namespace(namespace)
    with pa.memory_map(rows) as source:
        data = pa.ipc.open_file(source).read_all()
    made = catalog.create_table(table, schema=data.schema, location=os.path.join(folder, *table.split(".")))
    made.append(data)
    made.delete(EqualTo(column, person))
    made.maintenance.expire_snapshots().older_than(datetime.now(timezone.utc)).commit()
    made = catalog.load_table(table)
    keep = referenced(made)
    location = made.location().removeprefix("file://")
    files = [str(path) for path in Path(location).rglob("*") if path.is_file()]
    swept = [path for path in files if path not in keep]
    for path in swept:
        os.remove(path)
    made = catalog.load_table(table)
    return {
        "swept": len(swept),
        "left": int(made.scan(row_filter=EqualTo(column, person)).to_arrow().num_rows),
        "rows": int(made.scan().to_arrow().num_rows),
        **describe(made),
    }
