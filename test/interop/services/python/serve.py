"""Commands over HTTP on a Unix socket: POST /NAME with a JSON object of arguments, answered with JSON.

An error of a command is status 500 with its text; GET / says that commands are taken.
"""

import json
import os
import socketserver
import traceback
from http.server import BaseHTTPRequestHandler


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def serve(path: str, commands: dict) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(200, b"ready")

        def do_POST(self):
            arguments = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
            try:
                result = json.dumps(commands[self.path[1:]](**arguments))
                self.answer(200, result.encode())
            except Exception as error:
                traceback.print_exc()
                self.answer(500, f"{type(error).__name__}: {error}".split("\n\tat ")[0].encode())

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

        def address_string(self):
            return "local"

    if os.path.exists(path):
        os.unlink(path)
    with Server(path, Handler) as server:
        server.serve_forever()
