# Changes of a stack: LocalStack takes a name for changed where it is that of a resource that
# changes, and so would make an alias anew that is there; it cannot lead one to a new version; and it
# leaves the policies of a role, the deployment of a stage and the gateway's own replies as they were,
# where CloudFormation puts the new ones in their place.

import json

from localstack.services.apigateway.resource_providers.aws_apigateway_deployment import (
    ApiGatewayDeploymentProvider,
)
from localstack.services.apigateway.resource_providers.aws_apigateway_gatewayresponse import (
    ApiGatewayGatewayResponseProvider,
)
from localstack.services.apigateway.resource_providers.aws_apigateway_stage import (
    ApiGatewayStageProvider,
)
from localstack.services.cloudformation.engine.v2.change_set_model import is_nothing
from localstack.services.cloudformation.engine.v2.change_set_model_executor import (
    ChangeSetModelExecutor,
)
from localstack.services.cloudformation.resource_provider import (
    OperationStatus,
    ProgressEvent,
    ResourceProviderExecutor,
)
from localstack.services.iam.resource_providers.aws_iam_role import IAMRoleProvider
from localstack.services.lambda_.resource_providers.aws_lambda_version import LambdaVersionProvider
from localstack.services.lambda_.resource_providers.lambda_alias import LambdaAliasProvider


def differs_for_good(before, after):
    """Whether a property differs that is set when a resource is made, and never after."""
    provider = ResourceProviderExecutor.try_load_resource_provider(after.resource_type)
    names = [path.split("/")[2] for path in provider.SCHEMA.get("createOnlyProperties", [])]
    values = [part.properties.properties for part in (before, after)]
    return any(values[0].get(name) != values[1].get(name) for name in names)


def lead_to_version(_, request):
    model = request.desired_state
    wanted = {name: model[name] for name in ("FunctionName", "Name", "FunctionVersion")}
    changed = request.aws_client_factory.lambda_.update_alias(**wanted)
    model["Id"] = changed["AliasArn"]
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)


def lead_to_deployment(_, request):
    model = {**request.previous_state, **request.desired_state}
    request.aws_client_factory.apigateway.update_stage(
        restApiId=model["RestApiId"],
        stageName=model["StageName"],
        patchOperations=[
            {"op": "replace", "path": "/deploymentId", "value": model["DeploymentId"]}
        ],
    )
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)


def delete_deployment(_, request):
    """LocalStack would delete all stages of the API with it."""
    model, api = request.desired_state, request.aws_client_factory.apigateway
    try:
        api.delete_deployment(restApiId=model["RestApiId"], deploymentId=model["DeploymentId"])
    except api.exceptions.NotFoundException:
        pass
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)


def retain(_, request):
    """LocalStack does not know `DeletionPolicy: Retain`, which every version has."""
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=request.desired_state)


def reply_anew(self, request):
    request.desired_state["Id"] = request.previous_state["Id"]
    return self.create(request)


def with_new_policies(update):
    def update_with_policies(self, request):
        event = update(self, request)
        iam = request.aws_client_factory.iam
        role = request.previous_state["RoleName"]
        before, after = (
            {policy["PolicyName"]: policy["PolicyDocument"] for policy in state.get("Policies") or []}
            for state in (request.previous_state, request.desired_state)
        )
        for name in before.keys() - after.keys():
            iam.delete_role_policy(RoleName=role, PolicyName=name)
        for name, document in after.items():
            iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(document))
        event.resource_model["Policies"] = request.desired_state.get("Policies")
        return event

    return update_with_policies


def install():
    change = ChangeSetModelExecutor._execute_resource_change

    def change_by_value(self, name, before, after):
        if not is_nothing(before) and not is_nothing(after) and after.requires_replacement:
            after.requires_replacement = differs_for_good(before, after)
        return change(self, name, before, after)

    ChangeSetModelExecutor._execute_resource_change = change_by_value
    LambdaAliasProvider.update = lead_to_version
    LambdaVersionProvider.delete = retain
    ApiGatewayDeploymentProvider.delete = delete_deployment
    ApiGatewayStageProvider.update = lead_to_deployment
    ApiGatewayGatewayResponseProvider.update = reply_anew
    IAMRoleProvider.update = with_new_policies(IAMRoleProvider.update)
