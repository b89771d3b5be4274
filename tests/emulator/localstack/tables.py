# Remembers what DynamoDB Local accepts and forgets: the maximum throughput of tables and indexes,
# and a table's protection from deletion.

import functools

from localstack.services.dynamodb.v2.provider import DynamoDBProvider

SETTINGS = ("OnDemandThroughput", "DeletionProtectionEnabled")
# By table, then by index and setting; the table's own have no name of an index.
remembered = {}


def parts_of(table):
    """A table or a change of it, and its indexes, by name."""
    changes = [it["Update"] for it in table.get("GlobalSecondaryIndexUpdates", []) if "Update" in it]
    indexes = [*table.get("GlobalSecondaryIndexes", []), *changes]
    return [(None, table), *((index["IndexName"], index) for index in indexes)]


def remembering(change):
    @functools.wraps(change)
    def remember(self, context, request, **rest):
        reply = change(self, context, request, **rest)
        known = remembered.setdefault(request["TableName"], {})
        for name, part in parts_of(request):
            known.update({(name, it): part[it] for it in SETTINGS if it in part})
        return reply

    return remember


def showing(describe):
    @functools.wraps(describe)
    def show(self, *args, **rest):
        reply = describe(self, *args, **rest)
        known = remembered.get(reply["Table"]["TableName"], {})
        for name, part in parts_of(reply["Table"]):
            part.update({it: known[name, it] for it in SETTINGS if (name, it) in known})
        return reply

    return show


def install():
    DynamoDBProvider.create_table = remembering(DynamoDBProvider.create_table)
    DynamoDBProvider.update_table = remembering(DynamoDBProvider.update_table)
    DynamoDBProvider.describe_table = showing(DynamoDBProvider.describe_table)
