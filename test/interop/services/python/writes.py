"""Rows in canonical form (see canonical.ts) as PyIceberg writes them."""

from datetime import datetime, timezone
from decimal import Decimal
from uuid import UUID

import pyarrow as pa
import pyarrow.parquet as pq


def python_value(value, type: pa.DataType):
    """A canonical value as Arrow takes it."""
    if value is None:
        return None
    if pa.types.is_timestamp(type):
        instant = datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%f")
        return instant.replace(tzinfo=timezone.utc) if type.tz else instant
    if pa.types.is_date(type):
        return datetime.strptime(value, "%Y-%m-%d").date()
    if pa.types.is_time(type):
        return datetime.strptime(value, "%H:%M:%S.%f").time()
    if pa.types.is_integer(type):
        return int(value)
    if pa.types.is_decimal(type):
        return Decimal(value)
    if pa.types.is_floating(type):
        return float(value)
    if isinstance(type, pa.UuidType):
        return UUID(value).bytes
    if pa.types.is_binary(type) or pa.types.is_large_binary(type) or pa.types.is_fixed_size_binary(type):
        return bytes.fromhex(value)
    if pa.types.is_map(type):
        return [(python_value(key, type.key_type), python_value(one, type.item_type)) for key, one in value]
    if pa.types.is_list(type) or pa.types.is_large_list(type):
        return [python_value(one, type.value_type) for one in value]
    if pa.types.is_struct(type):
        return {field.name: python_value(one, field.type) for field, one in zip(type, value)}
    return value


def arrow(schema: pa.Schema, rows: list) -> pa.Table:
    columns = [
        pa.array([python_value(row[at], field.type) for row in rows], type=field.type)
        for at, field in enumerate(schema)
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def append_to(table, rows: list, branch: str = "main", summary: dict = {}) -> None:
    table.append(arrow(table.schema().as_arrow(), rows), branch=branch, snapshot_properties=summary)


def import_to(table, rows: list, name: str) -> None:
    """Writes a Parquet file beside the table, without field ids, and adds it as it is."""
    path = f"{table.location()}/data/{name}.parquet"
    plain = pa.schema([pa.field(field.name, field.type) for field in table.schema().as_arrow()])
    with table.io.new_output(path).create() as file:
        pq.write_table(arrow(plain, rows), file)
    table.add_files([path])
