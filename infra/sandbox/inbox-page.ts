// The inbox as a page.

import * as z from 'zod/mini';
import { Html, html, page } from './page-layout.ts';

/** How the inbox replies. */
export const InboxReply = z.enum(['accept', 'error', 'gone', 'busy', 'hang', 'slow']);
export type InboxReply = z.infer<typeof InboxReply>;

/** A delivery that arrived. `attempt` counts the deliveries with this id. */
export type Arrival = {
  received_at: string;
  webhook_id: string;
  attempt: number;
  signature: 'valid' | 'not valid' | 'not checked';
  replied: InboxReply;
  event: unknown;
};

const labels: Record<InboxReply, string> = {
  accept: 'Accept (200)',
  error: 'Fail (500)',
  gone: 'Gone (410)',
  busy: 'Busy (429 with Retry-After)',
  hang: 'Hang (no reply)',
  slow: 'Slow (after 5 seconds)',
};

const row = ({ received_at, webhook_id, attempt, signature, replied, event }: Arrival): Html =>
  html`<li><strong>${received_at}</strong> signature ${signature}, attempt ${String(attempt)},
reply: ${labels[replied]}<br>
<code>${webhook_id}</code><br>
<code>${JSON.stringify(event)}</code></li>
`;

export const inboxPage = ({
  reply,
  arrivals,
}: {
  reply: InboxReply;
  arrivals: readonly Arrival[];
}): string =>
  page(
    'Inbox',
    html`<p>The demo application's webhook sends its events here. The page reloads every five
seconds and shows the latest deliveries first. Programs read <code>/inbox/deliveries</code>.</p>
<form method="post" action="/inbox/reply">
<fieldset>
<legend>Reply to the next deliveries: ${labels[reply]}</legend>
<div class="actions">
${InboxReply.options.map(
  (name) => html`<button name="reply" value="${name}"
${new Html(name === reply ? 'class="first" aria-pressed="true"' : '')}>${labels[name]}</button>
`,
)}</div>
</fieldset>
</form>
<h2>Deliveries</h2>
${
  arrivals.length === 0
    ? html`<p>Nothing has arrived since the start.</p>`
    : html`<ol reversed>
${arrivals.map(row)}</ol>`
}`,
    { reloadSeconds: 5 },
  );
