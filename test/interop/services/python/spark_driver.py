"""A Spark session that takes SQL over a Unix socket. Usage: spark_driver.py SOCKET CONF-AS-JSON"""

import json
import os
import sys
import time

os.environ["TZ"] = "UTC"
time.tzset()

from pyspark.sql import SparkSession  # noqa: E402

from rows import canonical  # noqa: E402
from serve import serve  # noqa: E402

builder = SparkSession.builder.master("local[2]").appName("interop")
for key, value in json.loads(sys.argv[2]).items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("WARN")


def conf(settings: dict) -> None:
    """Settings of the session: a catalog is there from its first use."""
    for key, value in settings.items():
        spark.conf.set(key, value)


def sql(statement: str) -> dict:
    frame = spark.sql(statement)
    return {"columns": frame.columns, "rows": [canonical(list(row)) for row in frame.collect()]}


def equality_delete(table: str, column: str, values: list) -> None:
    """Commits an equality delete through Iceberg's own Java writers, as Flink does: Spark has no statement for it."""
    jvm = spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, table)
    schema = loaded.schema().select(jvm.java.util.Collections.singletonList(column))
    ids = spark.sparkContext._gateway.new_array(jvm.int, 1)
    ids[0] = schema.findField(column).fieldId()
    factory = (
        getattr(jvm.org.apache.iceberg.data, "GenericFileWriterFactory$Builder")(loaded)
        .equalityFieldIds(ids)
        .equalityDeleteRowSchema(schema)
        .build()
    )
    location = loaded.locationProvider().newDataLocation(f"equality-{time.time_ns()}.parquet")
    file = jvm.org.apache.iceberg.encryption.EncryptedFiles.encryptedOutput(
        loaded.io().newOutputFile(location), jvm.org.apache.iceberg.encryption.EncryptionKeyMetadata.EMPTY
    )
    writer = factory.newEqualityDeleteWriter(file, loaded.spec(), None)
    record = jvm.org.apache.iceberg.data.GenericRecord.create(schema)
    for value in values:
        record.setField(column, value)
        writer.write(record.copy())
    writer.close()
    loaded.newRowDelta().addDeletes(writer.toDeleteFile()).commit()


def add_default(table: str, column: str, value: int) -> None:
    jvm = spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, table)
    int_type = getattr(jvm.org.apache.iceberg.types, "Types$IntegerType").get()
    literal = jvm.org.apache.iceberg.expressions.Expressions.lit(value)
    loaded.updateSchema().addColumn(column, int_type, None, literal).commit()


def stage_again(table: str, snapshot: str) -> None:
    """Appends the files that a snapshot added in one of its own, which is staged: no branch moves to it."""
    jvm = spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, table)
    append = loaded.newAppend()
    for file in loaded.snapshot(int(snapshot)).addedDataFiles(loaded.io()):
        append.appendFile(file)
    append.stageOnly().commit()


def remove_orphans(table: str, older_than_ms: int) -> list:
    """Iceberg's own action, whose SQL procedure refuses files younger than a day."""
    jvm = spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, table)
    action = jvm.org.apache.iceberg.spark.actions.SparkActions.get(spark._jsparkSession).deleteOrphanFiles(loaded)
    # By the table's own file access, which knows S3; Hadoop's does not.
    return list(action.olderThan(older_than_ms).usePrefixListing(True).execute().orphanFileLocations())


serve(
    sys.argv[1],
    {
        "conf": conf,
        "sql": sql,
        "equality_delete": equality_delete,
        "add_default": add_default,
        "stage_again": stage_again,
        "remove_orphans": remove_orphans,
    },
)
