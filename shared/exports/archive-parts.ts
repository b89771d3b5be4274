// The parts of an archive of books. Each part is the next text of a file. A last file lists the
// parts with their hashes, in a chain, so a verifier notices an altered or missing part.

import { canonicalJson, sha256 } from '../canonical-json.ts';

/** A text to append to a file of the archive. */
export type ArchivePart = { name: string; content: string };

/** The chain before the first part. */
export const noSeal = '0'.repeat(64);

/** Lines of JSON (ndjson). The table returns the fields of maps in no certain order. */
export const jsonLines = (values: readonly object[]): string =>
  values.map((value) => `${canonicalJson(value)}\n`).join('');

/**
 * Lists parts in `parts.ndjson`.
 * @param seal the chain after the previous part
 */
export const sealedParts = (
  parts: readonly ArchivePart[],
  seal: string,
): { parts: ArchivePart[]; seal: string } => {
  let last = seal;
  const listed = parts.map(({ name: file, content }) => {
    const [bytes, hash] = [Buffer.byteLength(content), sha256(content)];
    last = sha256([last, file, bytes, hash].join('\n'));
    return { file, bytes, sha256: hash, seal: last };
  });
  return { parts: [...parts, { name: 'parts.ndjson', content: jsonLines(listed) }], seal: last };
};
