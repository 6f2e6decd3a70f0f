import type { SessionTrace, ShownRecord } from '#shared/contract/session-record/index.ts';

/** The facts of an evidence file as its page shows them. */
export interface EvidencePage {
  readonly owner: string;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly expiresAt: number;
  readonly key: { readonly kid: string; readonly fingerprint: string };
  readonly missing: readonly string[];
  readonly record: ShownRecord;
  readonly trace: SessionTrace;
  readonly auditHead: { readonly seq: number; readonly hash: string };
  /** SHA-256 of the other files, by name. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

const STYLE =
  'body{font:16px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:.3rem .5rem;text-align:left;vertical-align:top}' +
  'code,pre{font:14px/1.4 monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}';

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const safe = (text: string): string => text.replace(/[&<>"']/g, (sign) => SPECIAL[sign] ?? sign);
const code = (text: string): string => `<code>${safe(text)}</code>`;
const time = (at: number): string => new Date(at).toISOString();
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><tr>${head.map((name) => `<th scope="col">${safe(name)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;

/** A page without script and without a reference to anything outside it: a browser shows it without a network. */
export function evidencePage(page: EvidencePage): string {
  const { owner, madeAt, madeBy, expiresAt, key, missing, record, trace, auditHead, files } = page;
  const facts: readonly (readonly [string, string])[] = [
    ['Owner', code(owner)],
    ['Made', `${time(madeAt)} by ${code(madeBy)}`],
    ['Expiry', time(expiresAt)],
    ['Fingerprint of the key', `${code(key.fingerprint)} (SHA-256 thumbprint of key ${code(key.kid)})`],
    ['Record', code(record.recordId)],
    ['Trace', code(trace.traceId)],
    ['Head of the audit chain', code(`${auditHead.seq}:${auditHead.hash}`)],
    ['Parts of hosts', code(trace.hosts.map(({ hostId, state }) => `${hostId}: ${state}`).join(', '))],
    ['Missing', missing.length === 0 ? 'nothing' : missing.map(safe).join('<br>')],
  ];
  const steps = trace.steps.map(({ at, hostId, party, direction, kind, detail }) => [
    ...[time(at), safe(hostId), safe(party), direction, safe(kind)],
    `<pre>${safe(JSON.stringify(detail, undefined, 1))}</pre>`,
  ]);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    `<title>Evidence ${safe(record.recordId)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Evidence of one session</h1>${table(
      ['Fact', 'Value'],
      facts.map(([name, value]) => [safe(name), value]),
    )}`,
    '<h2>Proof</h2><p>This page proves nothing by itself. The command <code>carillon evidence verify FILE --key KEY</code> ',
    'checks the signature and every file. Compare the fingerprint with the one that the platform names.</p>',
    `<h2>Personal data and erasure</h2><p>${safe(erasureLimit(owner, expiresAt))}</p>`,
    `<h2>Record</h2><pre>${safe(JSON.stringify(record, undefined, 1))}</pre>`,
    `<h2>Trace</h2>${table(['Time', 'Host', 'Party', 'Direction', 'Step', 'Detail'], steps)}`,
    `<h2>Files</h2>${table(
      ['File', 'SHA-256'],
      files.map(({ name, sha256 }) => [code(name), code(sha256)]),
    )}`,
    '</body></html>\n',
  ].join('\n');
}

/** The limits of an erasure, for the person who holds the file. */
export const erasureLimit = (owner: string, expiresAt: number): string =>
  `The file is personal data of the tenant ${owner}. An erasure removes the session from the platform and its hosts. ` +
  `It does not reach copies of this file: the owner deletes them when a person asks for an erasure, and on ${time(expiresAt)} at the latest.`;
