# Lambda's settings for asynchronous invocations belong to the alias that is invoked; LocalStack
# looks for them under the version that the alias leads to.

from localstack.services.lambda_.invocation.event_manager import Poller


def install():
    handle = Poller.handle_message

    def handle_with_settings_of_alias(self, message):
        function = self.version_manager.function
        version = self.version_manager.function_version.id.qualifier
        for name, alias in function.aliases.items():
            settings = function.event_invoke_configs.get(name)
            if settings and alias.function_version == version:
                function.event_invoke_configs[version] = settings
        return handle(self, message)

    Poller.handle_message = handle_with_settings_of_alias
