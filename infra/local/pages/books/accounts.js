// The list of accounts.

import { get } from './api.js';
import { h } from './elements.js';
import { accountLink, growing, text } from './parts.js';

export const accounts = async (tenant) => {
  const list = growing({
    read: (cursor) => get('accounts/list', { domain_url: tenant, limit: 200, cursor }),
    field: 'accounts',
    empty: 'The chart of accounts is empty.',
    caption: 'Chart of accounts',
    columns: [
      text('Code', ({ code }) => accountLink(code)),
      text('Name', ({ name }) => name),
      text('Type', ({ type }) => type),
      text('Subtype', ({ subtype }) => subtype),
      text('Normal balance', ({ normal_balance }) => normal_balance),
      text('Cash flow', ({ cash_flow }) => cash_flow),
      text('Status', ({ status }) => status),
    ],
  });
  await list.begin();
  return [h('h2', { tabindex: '-1' }, 'Accounts'), list.place];
};
