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
    schema = loaded.schema().select(spark.sparkContext._gateway.new_array(jvm.String, 0) if False else jvm.java.util.Arrays.asList([column]))
    ids = spark.sparkContext._gateway.new_array(jvm.int, 1)
    ids[0] = schema.findField(column).fieldId()
    factory = jvm.org.apache.iceberg.data.GenericAppenderFactory(
        loaded.schema(), loaded.spec(), ids, schema, None
    )
    location = loaded.locationProvider().newDataLocation(f"equality-{time.time_ns()}.parquet")
    file = jvm.org.apache.iceberg.encryption.EncryptedFiles.encryptedOutput(
        loaded.io().newOutputFile(location), jvm.org.apache.iceberg.encryption.EncryptionKeyMetadata.EMPTY
    )
    writer = factory.newEqDeleteWriter(file, jvm.org.apache.iceberg.FileFormat.PARQUET, None)
    record = jvm.org.apache.iceberg.data.GenericRecord.create(schema)
    for value in values:
        record.setField(column, value)
        writer.write(record.copy())
    writer.close()
    loaded.newRowDelta().addDeletes(writer.toDeleteFile()).commit()


def remove_orphans(table: str, older_than_ms: int) -> list:
    """Iceberg's own action, whose SQL procedure refuses files younger than a day."""
    jvm = spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, table)
    action = jvm.org.apache.iceberg.spark.actions.SparkActions.get(spark._jsparkSession).deleteOrphanFiles(loaded)
    return list(action.olderThan(older_than_ms).execute().orphanFileLocations())


serve(
    sys.argv[1],
    {"conf": conf, "sql": sql, "equality_delete": equality_delete, "remove_orphans": remove_orphans},
)
