# Mends what DynamoDB Local's streams say of an empty map: `{}`, without its type, where DynamoDB
# says `{"M": {}}`.

from localstack.services.lambda_.event_source_mapping.pollers.dynamodb_poller import DynamoDBPoller


def mended(value):
    if not value:
        return {"M": {}}
    if "M" in value:
        return {"M": {name: mended(part) for name, part in value["M"].items()}}
    if "L" in value:
        return {"L": [mended(part) for part in value["L"]]}
    return value


def install():
    transform = DynamoDBPoller.transform_into_events

    def transform_mended(self, records, shard_id):
        events = transform(self, records, shard_id)
        for event in events:
            change = event["dynamodb"]
            image = change.get("NewImage", {})
            change["NewImage"] = {name: mended(value) for name, value in image.items()}
        return events

    DynamoDBPoller.transform_into_events = transform_mended
