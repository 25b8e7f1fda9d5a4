"""Tables of the matrix as PyIceberg writes them, each in two commits of half the rows (see matrix/features.ts)."""

from pyiceberg.expressions import In
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
    FixedType,
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

from writes import append_to, import_to

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
    def write(catalog, name, rows, properties):
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
            append_to(table, half)

    return write


def evolved(catalog, name, rows, properties):
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
    append_to(table, [["x", *row[:5]] for row in first])
    with table.update_schema() as update:
        update.delete_column("gone")
        update.rename_column("town", "city")
        update.update_column("id", LongType())
        update.update_column("score", DoubleType())
        update.add_column("day", DateType())
    append_to(table, second)


def respecified(catalog, name, rows, properties):
    table = catalog.create_table(
        name, schema_of(BASE), properties={"format-version": "2", **properties}
    )
    first, second = halves(rows)
    append_to(table, first)
    with table.update_spec() as update:
        update.add_field("city", IdentityTransform(), "city")
    append_to(table, second)


def references(catalog, name, rows, properties):
    table = catalog.create_table(
        name, schema_of(BASE), properties={"format-version": "2", **properties}
    )
    first, second = halves(rows)
    append_to(table, first)
    snapshot = table.current_snapshot().snapshot_id
    table.manage_snapshots().create_tag(snapshot, "before").create_branch(snapshot, "audit").commit()
    append_to(table, second)
    append_to(table, [rows[6]], "audit")


def overwritten(catalog, name, rows, properties):
    simple()(catalog, name, rows, properties)
    catalog.load_table(name).delete(In("id", (2, 7)))


def moved(catalog, name, rows, properties):
    address = StructType(
        NestedField(20, "street", StringType(), required=False),
        NestedField(21, "code", IntegerType(), required=False),
    )
    old = PERSON + (("address", address), ("city", StringType()))
    table = catalog.create_table(name, schema_of(old), properties={"format-version": "2", **properties})
    first, second = halves(rows)
    append_to(table, [[*row[:3], row[4], row[3]] for row in first])
    with table.update_schema() as update:
        update.add_column(("address", "country"), StringType())
        update.rename_column("address.code", "zip")
        update.move_after("city", "email")
    append_to(table, second)


def imported(catalog, name, rows, properties):
    table = catalog.create_table(name, schema_of(BASE), properties={"format-version": "2", **properties})
    for at, half in enumerate(halves(rows)):
        import_to(table, half, f"imported-{at}")


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
    "overwritten": overwritten,
    "moved": moved,
    "imported": imported,
    "layout": simple(
        **{"write.object-storage.enabled": "true", "write.metadata.metrics.default": "full"}
    ),
    "fixed": simple(columns=PERSON + (("one", FixedType(4)),)),
    "nested": simple(columns=NESTED),
    "types": simple(columns=TYPES),
    "codecs": simple(
        **{"write.metadata.compression-codec": "gzip", "write.parquet.compression-codec": "gzip"}
    ),
}
