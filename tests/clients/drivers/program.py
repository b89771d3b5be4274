# What each program has that drives a client of PyPI: its task, the way to the sandbox, and steps that
# it reports one by one.

import json
import os
import socket
import urllib.parse
import urllib.request

import urllib3.connection
import urllib3.connectionpool

task = json.loads(os.environ["CLIENT_TASK"])


class ForwardedConnection(urllib3.connection.HTTPConnection):
    """A connection to any https host ends at the forwarder, which speaks plain HTTP."""

    default_port = 443
    is_verified = True

    def __init__(self, host, port=None, *, timeout=None, **_):
        super().__init__(host, port, timeout=timeout)

    def _new_conn(self):
        return socket.create_connection(("127.0.0.1", task["forwarderPort"]))


urllib3.connectionpool.HTTPSConnectionPool.ConnectionCls = ForwardedConnection


def consent(url, companies):
    """Has the user consent on the page at this URL; returns the callback's URL."""
    body = json.dumps({"url": url, "companies": companies}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{task['forwarderPort']}/", body) as reply:
        return reply.read().decode()


def query_of(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} is not {expected!r}")


def balance(debit, credit):
    return f"{float(debit or 0) - float(credit or 0):.3f}"


def step(name):
    """Runs a step and prints its outcome. A failure does not prevent the next steps."""

    def run(function):
        try:
            function()
            print(json.dumps({"step": name}))
        except Exception as error:
            print(json.dumps({"step": name, "problem": f"{type(error).__name__}: {error}"[:600]}))

    return run
