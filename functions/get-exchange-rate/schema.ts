// What get-exchange-rate accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { calendarDate, currencyOfItsTime } from '#shared/fields.ts';

const currencyFields = {
  from: currencyOfItsTime.check(z.describe('ISO 4217 code of the transaction currency.')),
  to: currencyOfItsTime.check(z.describe('ISO 4217 code of the reporting currency.')),
};

export const Request = z.strictObject({
  date: calendarDate.check(z.describe('Date of the entry, YYYY-MM-DD.')),
  ...currencyFields,
});

export const Data = z.object({
  ...currencyFields,
  date: Request.shape.date,
  exchange_rate: JournalEntryView.shape.exchange_rate.check(
    z.describe('Units of `to` for one unit of `from`, with eleven decimals.'),
  ),
  exchange_rate_date: JournalEntryView.shape.exchange_rate_date,
  exchange_rate_source: JournalEntryView.shape.exchange_rate_source,
});
z.globalRegistry.add(Data, {
  id: 'ExchangeRate',
  description: 'The exchange rate that an entry of a date would get.',
});

export const documentation: EndpointDocumentation = {
  summary: 'Get exchange rate',
  description: `Returns the exchange rate that an entry of this date would get if it were posted
now, with its source. If there is none, the request is refused like the entry:
\`exchange_rate_unavailable\`, \`no_rate_after_today\`, \`currency_not_in_use\` or
\`currency_unknown\`.

The rate of a date can still change: new rates are added on every working day, and an operator can
correct a wrong one. Posted entries keep their rates.`,
  errors: [],
  examples: [
    {
      name: 'Dollars to euro',
      request: { date: '2026-03-23', from: 'USD', to: 'EUR' },
      data: {
        from: 'USD',
        to: 'EUR',
        date: '2026-03-23',
        exchange_rate: '0.86236633322',
        exchange_rate_date: '2026-03-23',
        exchange_rate_source: 'ecb_derived',
      },
    },
  ],
};
