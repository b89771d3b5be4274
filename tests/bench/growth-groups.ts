// What grows while its effect is measured.

export const groups = {
  entries: 'entries in the tenant',
  chart: 'accounts in the chart',
  lines: 'lines of the entry',
  tenants: 'tenants of the user (profile)',
} as const;
