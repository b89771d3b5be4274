// Why a command of the operator's tool was not done, in sentences for the operator.

/** What was asked for cannot be done; the message says why in one line. */
export class CommandFailure extends Error {}

/** A change that stopped half way; the message says what to do, its cause what stood in the way. */
export class IncompleteChange extends CommandFailure {}

/** The command line itself is wrong. */
export class UsageError extends Error {}
