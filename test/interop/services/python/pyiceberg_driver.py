"""PyIceberg with its catalogs, over a Unix socket. Usage: pyiceberg_driver.py SOCKET"""

import sys
import threading
import warnings
from datetime import datetime, timezone

import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.exceptions import NamespaceAlreadyExistsError
from pyiceberg.expressions import EqualTo
from pyiceberg.table import StaticTable

import features
import peer
from leftovers import leftovers
from mounted import read_mounted
from rows import canonical
from serve import serve
from writes import append_to

warnings.simplefilter("ignore")
catalogs = {}
# Two at once would both make the tables of a database.
making = threading.Lock()


def catalog(name: str, settings: dict, known_as: str) -> None:
    """Makes a catalog known to later commands by `name`; `known_as` is its name inside a shared database."""
    with making:
        catalogs[name] = load_catalog(known_as, **settings)


def load(catalog: str | None, table: str):
    """A table of a catalog, or the one that a metadata file describes."""
    return StaticTable.from_metadata(table) if catalog is None else catalogs[catalog].load_table(table)


def plain(value, type: pa.DataType):
    """What pyarrow gives for a value, with a struct as its members and a map as its pairs."""
    if value is None:
        return None
    if pa.types.is_struct(type):
        return [plain(value[field.name], field.type) for field in type]
    if pa.types.is_map(type):
        return {key: plain(one, type.item_type) for key, one in value}
    if pa.types.is_list(type) or pa.types.is_large_list(type):
        return [plain(one, type.value_type) for one in value]
    return value


def write(catalog: str, table: str, feature: str, rows: list, properties: dict) -> None:
    """Makes a table that has a feature, and puts the rows into it in two commits."""
    namespace = table.rsplit(".", 1)[0]
    try:
        catalogs[catalog].create_namespace(namespace)
    except NamespaceAlreadyExistsError:
        pass
    features.FEATURES[feature](catalogs[catalog], table, rows, properties)


def read(catalog: str | None, table: str, ref: str) -> list:
    loaded = load(catalog, table)
    rows = (loaded.scan() if ref == "main" else loaded.scan().use_ref(ref)).to_arrow()
    types = [field.type for field in rows.schema]
    columns = [rows.column(at).to_pylist() for at in range(rows.num_columns)]
    return [canonical([plain(value, types[at]) for at, value in enumerate(row)]) for row in zip(*columns)]


def append(catalog: str, table: str, rows: list, summary: dict) -> None:
    append_to(load(catalog, table), rows, summary=summary)


def delete(catalog: str, table: str, column: str, value) -> None:
    load(catalog, table).delete(EqualTo(column, value))


def expire(catalog: str, table: str) -> None:
    """All snapshots but the current one; PyIceberg removes no file."""
    load(catalog, table).maintenance.expire_snapshots().older_than(datetime.now(timezone.utc)).commit()


serve(
    sys.argv[1],
    {
        "catalog": catalog,
        "write": write,
        "read": read,
        "append": append,
        "delete": delete,
        "expire": expire,
        "leftovers": leftovers,
        "read_mounted": read_mounted,
        "peer_read": peer.read,
        "peer_erase": peer.erase,
    },
)
