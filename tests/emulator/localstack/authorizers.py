# Lambda authorizers of kind REQUEST, which LocalStack's REST APIs lack: as a CloudFormation
# resource, and before each method that has one ("Use API Gateway Lambda authorizers", API Gateway
# Developer Guide).

import fnmatch
import json
import time

from localstack.aws.connect import connect_to
from localstack.services.apigateway.next_gen.execute_api.gateway import RestApiGateway
from localstack.services.apigateway.next_gen.execute_api.gateway_response import (
    AccessDeniedError,
    AuthorizerConfigurationError,
    UnauthorizedError,
)
from localstack.services.apigateway.next_gen.execute_api.handlers import api_key_validation_handler
from localstack.services.cloudformation import resource_provider

PROPERTIES = {
    "RestApiId": "restApiId",
    "Name": "name",
    "Type": "type",
    "AuthorizerUri": "authorizerUri",
    "IdentitySource": "identitySource",
    "AuthorizerResultTtlInSeconds": "authorizerResultTtlInSeconds",
}


class AuthorizerProvider(resource_provider.ResourceProvider):
    TYPE = "AWS::ApiGateway::Authorizer"
    SCHEMA = {
        "typeName": TYPE,
        "properties": {name: {"type": "string"} for name in ("AuthorizerId", *PROPERTIES)},
        "primaryIdentifier": ["/properties/AuthorizerId"],
        "readOnlyProperties": ["/properties/AuthorizerId"],
        "handlers": {"create": {}, "delete": {}},
    }

    def create(self, request):
        model = request.desired_state
        made = request.aws_client_factory.apigateway.create_authorizer(
            **{parameter: model[name] for name, parameter in PROPERTIES.items() if name in model}
        )
        model["AuthorizerId"] = made["id"]
        return self._done(model)

    def delete(self, request):
        model = request.desired_state
        request.aws_client_factory.apigateway.delete_authorizer(
            restApiId=model["RestApiId"], authorizerId=model["AuthorizerId"]
        )
        return self._done({})

    @staticmethod
    def _done(model):
        success = resource_provider.OperationStatus.SUCCESS
        return resource_provider.ProgressEvent(status=success, resource_model=model)


def ask(context, authorizer, method_arn):
    """Asks the function; its one word Unauthorized refuses, any other failure is a fault."""
    request = context.invocation_request
    event = {
        "type": "REQUEST",
        "methodArn": method_arn,
        "resource": context.resource["path"],
        "path": request["path"],
        "httpMethod": request["http_method"],
        "headers": dict(request["headers"]),
        "multiValueHeaders": {name: [value] for name, value in dict(request["headers"]).items()},
        "queryStringParameters": dict(request["query_string_parameters"]),
        "multiValueQueryStringParameters": dict(request["multi_value_query_string_parameters"]),
        "pathParameters": dict(request["path_parameters"]),
        "stageVariables": {},
        "requestContext": dict(context.context_variables),
    }
    function_arn = authorizer["authorizerUri"].split("/functions/")[1].split("/invocations")[0]
    aws = connect_to(aws_access_key_id=context.account_id, region_name=context.region)
    reply = aws.lambda_.invoke(FunctionName=function_arn, Payload=json.dumps(event, default=str))
    result = json.loads(reply["Payload"].read())
    if "FunctionError" not in reply:
        return result
    if result.get("errorMessage") == "Unauthorized":
        raise UnauthorizedError("Unauthorized")
    raise AuthorizerConfigurationError()


def is_allowed(policy, method_arn):
    effects = [
        statement["Effect"]
        for statement in policy["Statement"]
        if any(
            fnmatch.fnmatchcase(method_arn, resource)
            for resource in (
                statement["Resource"]
                if isinstance(statement["Resource"], list)
                else [statement["Resource"]]
            )
        )
    ]
    return "Allow" in effects and "Deny" not in effects


class Authorization:
    """The handler of LocalStack's chain that lets a request pass, or raises the gateway's error."""

    def __init__(self):
        self.remembered = {}

    def __call__(self, chain, context, response):
        method = context.resource_method
        if method.get("authorizationType") != "CUSTOM":
            return
        aws = connect_to(aws_access_key_id=context.account_id, region_name=context.region)
        authorizer = aws.apigateway.get_authorizer(
            restApiId=context.api_id, authorizerId=method["authorizerId"]
        )
        header = authorizer["identitySource"].removeprefix("method.request.header.")
        identity = context.invocation_request["headers"].get(header)
        if not identity:
            raise UnauthorizedError("Unauthorized")
        request = context.invocation_request
        api = f"{context.region}:{context.account_id}:{context.api_id}/{context.stage}"
        method_arn = f"arn:aws:execute-api:{api}/{request['http_method']}{request['path']}"
        key = (context.api_id, authorizer["id"], identity)
        result, until = self.remembered.get(key, (None, 0))
        if until < time.monotonic():
            result = ask(context, authorizer, method_arn)
            lifetime = authorizer["authorizerResultTtlInSeconds"]
            self.remembered[key] = (result, time.monotonic() + lifetime)
        variables = context.context_variables
        variables["authorizer"] = {
            **result.get("context", {}),
            "principalId": result["principalId"],
        }
        if not is_allowed(result["policyDocument"], method_arn):
            raise AccessDeniedError("User is not authorized to access this resource")
        variables["identity"]["apiKey"] = result.get("usageIdentifierKey")


def install():
    load = resource_provider.ResourceProviderExecutor.try_load_resource_provider
    resource_provider.ResourceProviderExecutor.try_load_resource_provider = staticmethod(
        lambda kind: AuthorizerProvider() if kind == AuthorizerProvider.TYPE else load(kind)
    )
    make_gateway = RestApiGateway.__init__

    def make_authorizing_gateway(self):
        make_gateway(self)
        place = self.request_handlers.index(api_key_validation_handler)
        self.request_handlers.insert(place, Authorization())

    RestApiGateway.__init__ = make_authorizing_gateway
    # LocalStack forgets what the template says of it: the authorizer names the key, or nobody does.
    handler = type(api_key_validation_handler)
    handler.get_request_api_key = lambda self, api, request, identity: identity.get("apiKey")
