"""The same writer with PyIceberg; a commit that lost its race is made again on the refreshed table."""
import json
import sys
import time

from pyiceberg.catalog import load_catalog
from pyiceberg.exceptions import CommitFailedException

properties, who, count = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
table = load_catalog("lake", **properties).load_table("crm.t")
print("ready", flush=True)
sys.stdin.readline()
begin, retries = time.perf_counter(), 0
for commit in range(count):
    while True:
        try:
            with table.transaction() as transaction:
                transaction.set_properties({f"writer-{who}": str(commit)})
            break
        except CommitFailedException:
            retries += 1
            table.refresh()
print(json.dumps({"ms": (time.perf_counter() - begin) * 1000, "retries": retries}), flush=True)
