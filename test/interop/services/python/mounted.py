"""Files that lie elsewhere than where metadata says, and the rows of a table whose files do."""

import json

import pyarrow as pa
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table import StaticTable


class MountedFileIO(PyArrowFileIO):
    """The property `mounts` has, as JSON, the folder for each prefix of a location; the longest prefix counts."""

    def new_input(self, location: str):
        mounts = json.loads(self.properties["mounts"])
        for prefix in sorted(mounts, key=len, reverse=True):
            if location == prefix or location.startswith(f"{prefix}/"):
                return super().new_input(mounts[prefix] + location[len(prefix) :])
        return super().new_input(location)


def read_mounted(metadata: str, mounts: dict, out: str) -> None:
    """Puts the rows of the table that a metadata file describes into an Arrow file."""
    io = {"py-io-impl": f"{MountedFileIO.__module__}.MountedFileIO", "mounts": json.dumps(mounts)}
    rows = StaticTable.from_metadata(metadata, properties=io).scan().to_arrow()
    with pa.OSFile(out, "wb") as sink, pa.ipc.new_file(sink, rows.schema) as writer:
        writer.write_table(rows)
