import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface TtVectors {
  readonly tt: readonly {
    readonly id: string;
    readonly line: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly deviceType: string;
    readonly statusCode: string;
    readonly group?: boolean;
  }[];
  readonly ttGroup: readonly { readonly id: string; readonly line: string; readonly fields: unknown }[];
}

const file = join(import.meta.dirname, '../../../../vectors/alarm/tt.json');

/** Frames of TT92 and TTNEW, in DTMF or sequential tones, and groups of 8. */
export const vectors = JSON.parse(readFileSync(file, 'utf8')) as TtVectors;
