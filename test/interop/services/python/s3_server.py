"""moto's S3 over connections that stay open. Usage: s3_server.py HOST PORT

moto's own server is made for development: each request has a connection, a thread, a line of log and a look through moto's folders
of its own, which costs several times what the answer does; and a listing of versions copies the content of the whole bucket. The
answers here are moto's all the same.
"""

import functools
import io
import sys
from http import HTTPStatus

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from moto.s3.models import FakeKey
from werkzeug.serving import make_server


class Handler(MotoRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def run_wsgi(self) -> None:
        environ = self.make_environ()
        # Read to its end, so that the next request of the connection begins where this one ends.
        chunked = environ.get("wsgi.input_terminated", False)
        body = environ["wsgi.input"].read(*([] if chunked else [int(environ.get("CONTENT_LENGTH") or 0)]))
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        started = []
        result = self.server.app(environ, lambda status, headers, _=None: started.append((status, headers)))
        content = b"".join(result)
        if hasattr(result, "close"):
            result.close()
        [(status, headers)] = started
        self.answer(int(status.split()[0]), headers, content)

    def answer(self, status: int, headers: list, content: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        has_body = self.command != "HEAD" and status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
        if has_body and not any(name.lower() == "content-length" for name, _ in headers):
            self.send_header("Content-Length", str(len(content)))
        self._headers_buffer.append(b"\r\n")
        self.wfile.write(b"".join(self._headers_buffer) + (content if has_body else b""))
        self._headers_buffer = []


def without_content(key: FakeKey, _memo: dict) -> FakeKey:
    """A listing takes a deep copy of every version, to mark the latest ones, and shows nothing of the content but its ETag."""
    with key.lock:
        key.etag  # Kept from now on.
    copied = FakeKey.__new__(FakeKey)
    copied.__dict__.update(key.__dict__)
    del copied._value_buffer
    return copied


FakeKey.__deepcopy__ = without_content


class Application(DomainDispatcherApplication):
    # It depends on nothing but the name.
    get_backend_for_host = functools.cache(DomainDispatcherApplication.get_backend_for_host)


host, port = sys.argv[1:]
make_server(host, int(port), Application(create_backend_app), threaded=True, request_handler=Handler).serve_forever()
