# `Fn::GetStackOutput`, by which CDK joins stacks weakly and which LocalStack does not know: put in
# as the template arrives.

import json

from localstack.aws.connect import connect_to
from localstack.services.cloudformation import api_utils


def resolve(node, output_of):
    if isinstance(node, list):
        return [resolve(part, output_of) for part in node]
    if not isinstance(node, dict):
        return node
    if list(node) == ["Fn::GetStackOutput"]:
        return output_of(**node["Fn::GetStackOutput"])
    return {name: resolve(part, output_of) for name, part in node.items()}


def install():
    extract = api_utils.extract_template_body

    def extract_resolved(request):
        body = extract(request)
        if "Fn::GetStackOutput" not in body:
            return body
        aws = connect_to()

        def output_of(StackName, OutputName, **_):
            [stack] = aws.cloudformation.describe_stacks(StackName=StackName)["Stacks"]
            outputs = {it["OutputKey"]: it["OutputValue"] for it in stack["Outputs"]}
            return outputs[OutputName]

        return json.dumps(resolve(json.loads(body), output_of))

    api_utils.extract_template_body = extract_resolved
