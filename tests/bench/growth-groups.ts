// What grows while its effect is measured.

export const groups = {
  chart: 'accounts in the chart',
  lines: 'lines of the entry',
  tenants: 'tenants of the user (profile)',
} as const;
