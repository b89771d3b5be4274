# Remembers the maximum throughput of tables and indexes, which DynamoDB Local accepts and forgets.

import functools

from localstack.services.dynamodb.v2.provider import DynamoDBProvider

SETTING = "OnDemandThroughput"
# By table, then by index; the table's own has no name.
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
        known.update({name: it[SETTING] for name, it in parts_of(request) if SETTING in it})
        return reply

    return remember


def showing(describe):
    @functools.wraps(describe)
    def show(self, *args, **rest):
        reply = describe(self, *args, **rest)
        known = remembered.get(reply["Table"]["TableName"], {})
        for name, part in parts_of(reply["Table"]):
            if name in known:
                part[SETTING] = known[name]
        return reply

    return show


def install():
    DynamoDBProvider.create_table = remembering(DynamoDBProvider.create_table)
    DynamoDBProvider.update_table = remembering(DynamoDBProvider.update_table)
    DynamoDBProvider.describe_table = showing(DynamoDBProvider.describe_table)
