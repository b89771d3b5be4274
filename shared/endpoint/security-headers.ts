// The headers of every reply, whoever gives it: a function, the gateway or the firewall.

/** Nobody keeps a reply, or takes it for anything but what it says that it is. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;
