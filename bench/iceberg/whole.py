"""whole.py PROGRAM ARGUMENT…: runs a program that does not measure itself from its start, and prints its CPU seconds, its peak and its output."""
import json
import resource
import subprocess
from sys import argv

done = subprocess.run(argv[1:], check=True, capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1024, "result": json.loads(done.stdout)}))
