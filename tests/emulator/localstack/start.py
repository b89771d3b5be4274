# Starts LocalStack in host mode, with what it lacks for this service beside it: functions as
# processes, a DynamoDB that runs already, authorizers, the gateway's own replies and more.

import functools
import os
import sys
import threading
import uuid


class LockFactory:
    """LocalStack writes `Lock | None`; before Python 3.13 Lock is a function, which has no `|`."""

    def __init__(self, make):
        self.make = make

    def __call__(self):
        return self.make()

    def __or__(self, _):
        return object


def mend_older_python():
    """Gives this Python what LocalStack takes for granted: 3.13's Lock and 3.12's uuid5."""
    if sys.version_info < (3, 13):
        lock = threading.Lock
        threading.Lock = LockFactory(lock)
        import localstack.packages.api  # noqa: F401

        threading.Lock = lock
    if sys.version_info < (3, 12):
        uuid5 = uuid.uuid5
        uuid.uuid5 = lambda space, name: uuid5(
            space, name if isinstance(name, str) else name.decode("latin-1")
        )


def end_with_parent():
    """Ends this process when the command that started it is gone, however that came about."""

    def wait():
        while os.read(sys.stdin.fileno(), 1):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def listen_here_only():
    """LocalStack takes the port of the address it is given, and listens on all of the machine's."""
    from twisted.internet import endpoints

    endpoints.TCP4ServerEndpoint = functools.partial(
        endpoints.TCP4ServerEndpoint, interface="127.0.0.1"
    )


def use_running_dynamodb():
    """DynamoDB Local was started by the command, at the port that LocalStack is told of."""
    from localstack.services.dynamodb.server import DynamodbServer
    from localstack.utils.threads import FuncThread

    def start_nothing(self):
        thread = FuncThread(lambda *_: self._stopped.wait())
        thread.start()
        return thread

    DynamodbServer.do_start_thread = start_nothing


end_with_parent()
mend_older_python()
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
listen_here_only()
use_running_dynamodb()

import authorizers  # noqa: E402
import changes  # noqa: E402
import executor  # noqa: E402
import invocations  # noqa: E402
import replies  # noqa: E402
import reservations  # noqa: E402
import streams  # noqa: E402
import tables  # noqa: E402

for part in (
    authorizers,
    changes,
    executor,
    invocations,
    replies,
    reservations,
    streams,
    tables,
):
    part.install()

from localstack.runtime.main import main  # noqa: E402

main()
