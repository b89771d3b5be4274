// What the emulator cannot show, for whoever reads a run that went well.

export const notShown = [
  'Not shown, since LocalStack does not do it or this stage does not have it:',
  '- IAM: nothing is enforced; the calls that were made are compared with the policies instead.',
  '  What Lambda and EventBridge do in a function’s or a rule’s name is not compared.',
  '- the use of the key (KMS), encryption at rest, backups and point-in-time recovery',
  '- the web application firewall, TLS and a custom domain',
  '- throttling by method and by usage plan, reserved concurrency, the gateway’s 29 seconds',
  '- the dashboard, alarms that ring, mails of alarms, metrics from log lines, traces',
  '- deletion of expired items, and how long anything takes on AWS',
].join('\n');
