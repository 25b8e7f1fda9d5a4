"""The files that any snapshot of a PyIceberg table names, for the sweep of both peer programs."""
from urllib.parse import unquote, urlparse


def path_of(location):
    return unquote(urlparse(location).path)


def named_files(table):
    named = {path_of(table.metadata_location)} | {path_of(entry.metadata_file) for entry in table.metadata.metadata_log}
    for snapshot in table.snapshots():
        named.add(path_of(snapshot.manifest_list))
        for manifest in snapshot.manifests(table.io):
            named.add(path_of(manifest.manifest_path))
            named.update(path_of(entry.data_file.file_path) for entry in manifest.fetch_manifest_entry(table.io))
    return named
