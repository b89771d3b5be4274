// The errors of operator commands. Their messages are for the operator.

/** The command cannot be carried out. The message gives the reason in one line. */
export class CommandFailure extends Error {}

/** A change that stopped halfway. The message says what to do; `cause` is what failed. */
export class IncompleteChange extends CommandFailure {}

/** The command line is invalid. */
export class UsageError extends Error {
  /** What to print after the message. */
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
