// Canonical JSON (RFC 8785), which hashes cover, and their algorithm.

import { createHash } from 'node:crypto';

/** 64 hexadecimal digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Only for texts, integers, booleans, null, arrays and objects. Undefined fields are left out. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(fields).sort()) {
    const field = fields[name];
    if (field === undefined) continue;
    text += `${text && ','}${JSON.stringify(name)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
};
