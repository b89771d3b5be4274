# Verifies deliveries with the official library of Standard Webhooks. Reads them as JSON from standard
# input, and prints for each whether the library accepts it.

import json
import sys

from standardwebhooks.webhooks import Webhook


def accepts(delivery):
    try:
        Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])
        return True
    except Exception:
        return False


print(json.dumps([accepts(delivery) for delivery in json.load(sys.stdin)]))
