// The security headers of every reply, including those of the gateway and the firewall.

/** Forbids caching and guessing the content type. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;
