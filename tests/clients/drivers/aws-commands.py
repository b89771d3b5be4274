# Runs commands of AWS's command line, one after the other. The argument is a JSON list of lists of
# words. Prints a JSON list with the messages of each.

import argparse
import contextlib
import io
import json
import sys

from awscli.clidriver import create_clidriver

# Without this, the beginning of an option's name is enough.
argparse.ArgumentParser._get_option_tuples = lambda *_: []

outcomes = []
for words in json.loads(sys.argv[1]):
    messages = io.StringIO()
    with contextlib.redirect_stderr(messages), contextlib.redirect_stdout(io.StringIO()):
        try:
            create_clidriver().main(words)
        except SystemExit:
            pass
    outcomes.append(messages.getvalue().strip())
print(json.dumps(outcomes))
