"""Tables of the matrix as PyIceberg writes them, each in two commits of half the rows (see matrix/features.ts)."""

from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import NullOrder, SortDirection, SortField, SortOrder
from pyiceberg.transforms import (
    BucketTransform,
    HourTransform,
    IdentityTransform,
    MonthTransform,
    TruncateTransform,
    YearTransform,
    DayTransform,
)
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    TimeType,
    UUIDType,
)

BASE = (
    ("id", LongType()),
    ("customer", LongType()),
    ("email", StringType()),
    ("city", StringType()),
    ("day", DateType()),
    ("at", TimestamptzType()),
    ("amount", DecimalType(9, 2)),
)
PERSON = BASE[:3]


def schema_of(columns) -> Schema:
    return Schema(
        *(NestedField(at, name, type, required=False) for at, (name, type) in enumerate(columns, start=1))
    )


def halves(rows):
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]


def simple(columns=BASE, version="2", spec=(), order=(), **more):
    def write(catalog, name, rows, properties, append):
        schema = schema_of(columns)
        fields = [
            PartitionField(schema.find_field(column).field_id, 1000 + at, transform, f"{column}_{at}")
            for at, (column, transform) in enumerate(spec)
        ]
        sorting = [
            SortField(
                schema.find_field(column).field_id,
                IdentityTransform(),
                direction=SortDirection.ASC,
                null_order=NullOrder.NULLS_FIRST,
            )
            for column in order
        ]
        table = catalog.create_table(
            name,
            schema,
            partition_spec=PartitionSpec(*fields),
            sort_order=SortOrder(*sorting),
            properties={"format-version": version, **properties, **more},
        )
        for half in halves(rows):
            append(table, half)

    return write


def evolved(catalog, name, rows, properties, append):
    old = (
        ("gone", StringType()),
        ("id", IntegerType()),
        ("customer", LongType()),
        ("email", StringType()),
        ("town", StringType()),
        ("score", FloatType()),
    )
    table = catalog.create_table(name, schema_of(old), properties={"format-version": "2", **properties})
    first, second = halves(rows)
    append(table, [["x", *row[:5]] for row in first])
    with table.update_schema() as update:
        update.delete_column("gone")
        update.rename_column("town", "city")
        update.update_column("id", LongType())
        update.update_column("score", DoubleType())
        update.add_column("day", DateType())
    append(table, second)


def respecified(catalog, name, rows, properties, append):
    table = catalog.create_table(
        name, schema_of(BASE), properties={"format-version": "2", **properties}
    )
    first, second = halves(rows)
    append(table, first)
    with table.update_spec() as update:
        update.add_field("city", IdentityTransform(), "city")
    append(table, second)


def references(catalog, name, rows, properties, append):
    table = catalog.create_table(
        name, schema_of(BASE), properties={"format-version": "2", **properties}
    )
    first, second = halves(rows)
    append(table, first)
    snapshot = table.current_snapshot().snapshot_id
    table.manage_snapshots().create_tag(snapshot, "before").create_branch(snapshot, "audit").commit()
    append(table, second)


NESTED = PERSON + (
    ("tags", ListType(20, StringType(), element_required=False)),
    (
        "address",
        StructType(
            NestedField(21, "street", StringType(), required=False),
            NestedField(22, "zip", IntegerType(), required=False),
        ),
    ),
    ("attributes", MapType(23, StringType(), 24, LongType(), value_required=False)),
)
TYPES = PERSON + (
    ("flag", BooleanType()),
    ("small", IntegerType()),
    ("real", FloatType()),
    ("wide", DoubleType()),
    ("local", TimestampType()),
    ("bytes", BinaryType()),
    ("clock", TimeType()),
    ("key", UUIDType()),
)

FEATURES = {
    "v1": simple(version="1"),
    "v2": simple(),
    "transforms": simple(
        spec=(
            ("id", BucketTransform(4)),
            ("city", TruncateTransform(2)),
            ("day", MonthTransform()),
            ("at", HourTransform()),
        )
    ),
    "days": simple(spec=(("city", IdentityTransform()), ("day", YearTransform()), ("at", DayTransform()))),
    "respecified": respecified,
    "evolved": evolved,
    "refs": references,
    "sorted": simple(order=("city", "id")),
    "nested": simple(columns=NESTED),
    "types": simple(columns=TYPES),
    "codecs": simple(
        **{"write.metadata.compression-codec": "gzip", "write.parquet.compression-codec": "gzip"}
    ),
}
