// Titles of the quantities that grow in the growth benchmark.

export const groups = {
  chart: 'accounts in the chart',
  lines: 'lines of the entry',
  tenants: 'tenants of the user (profile)',
} as const;
