# Reserved executions of functions, which LocalStack's CloudFormation ignores. LocalStack itself
# knows them: it refuses more than the account has, and calls beyond a function's.

from localstack.services.cloudformation.resource_provider import OperationStatus
from localstack.services.lambda_.resource_providers.aws_lambda_function import (
    LambdaFunctionProvider,
)

RESERVED = "ReservedConcurrentExecutions"


def with_reservation(change):
    def change_with_reservation(self, request):
        event = change(self, request)
        if event.status == OperationStatus.SUCCESS:
            model, functions = request.desired_state, request.aws_client_factory.lambda_
            function = {"FunctionName": model["FunctionName"]}
            if RESERVED in model:
                functions.put_function_concurrency(**function, **{RESERVED: int(model[RESERVED])})
            else:
                functions.delete_function_concurrency(**function)
        return event

    return change_with_reservation


def install():
    LambdaFunctionProvider.create = with_reservation(LambdaFunctionProvider.create)
    LambdaFunctionProvider.update = with_reservation(LambdaFunctionProvider.update)
