import { z } from 'zod';
import type { ShownRows } from './own-copy.ts';

/** A part of a row as a host sends it: pieces of one key in order are its JSON. */
const pieceSchema = z.object({
  kind: z.string().max(32),
  key: z.string().max(300),
  piece: z.number().int().nonnegative(),
  of: z.number().int().positive(),
  text: z.string(),
});

/** Puts the pieces of a host together again. One that is not whole, or no JSON, is shown as text. */
export function rowsOfPages(pieces: readonly unknown[]): ShownRows {
  const texts = new Map<string, { kind: string; text: string }>();
  for (const each of pieces) {
    const piece = pieceSchema.safeParse(each).data;
    if (piece === undefined) continue;
    const { kind, key, text } = piece;
    texts.set(key, { kind, text: (texts.get(key)?.text ?? '') + text });
  }
  const rows: ShownRows = {};
  for (const { kind, text } of texts.values()) rows[kind] = [...(rows[kind] ?? []), rowOf(text)];
  return rows;
}

function rowOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { text };
  }
}
