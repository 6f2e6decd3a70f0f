import { lineEnd } from './head.ts';
import { LOWER, latin1, mask, maskGroups, SIGN, wordEnd } from './mask.ts';

/** Names of fields, elements and parameters that hold a secret. */
export const SECRET_NAME =
  /password|passwd|passphrase|secret|token|credential|cookie|key\b|signature|authorization|\bauth\b|\bsig\b|\bha1\b|\bpin\b|claim[_-]?code/i;

/** SDP (RFC 4568 9.1, RFC 8866 5.12, RFC 8839 5.4, RFC 4567): the attribute, and how many words of it are no secret. */
const SDP_SECRETS: readonly (readonly [name: Uint8Array, words: number])[] = [
  [Buffer.from('a=crypto:'), 2],
  [Buffer.from('a=ice-pwd:'), 0],
  [Buffer.from('a=key-mgmt:'), 1],
  [Buffer.from('k='), 0],
];

const NAME = `[\\w.-]{0,40}(?:${SECRET_NAME.source})[\\w.-]{0,40}`;
/** A secret behind its name, in JSON (also in a text inside JSON), XML and forms. */
const NAMED_SECRETS: readonly RegExp[] = [
  new RegExp(`"${NAME}\\\\{0,3}"\\s{0,8}:\\s{0,8}\\\\{0,3}"((?:[^"\\\\]|\\\\.)*)`, 'gid'),
  new RegExp(`"${NAME}\\\\{0,3}"\\s{0,8}:\\s{0,8}(\\d[\\d.]{0,40})`, 'gid'),
  new RegExp(`<${NAME}(?:\\s[^<>]{0,200})?>([^<]*)<`, 'gid'),
  new RegExp(`\\b${NAME}=["']?([^&"'\\s<>;]+)`, 'gid'),
];
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----([\s\S]*?)-----END/dg;
/** Compact JWS and JWE (RFC 7515 7.1, RFC 7516 7.1). */
const WEB_TOKEN = /\b(eyJ[\w-]{5,}\.[\w-]*\.[\w-]*(?:\.[\w-]*\.[\w-]*)?)/dg;
const SCHEME = /bearer|basic/i;
/** Bearer and Basic, wherever a text repeats a field. */
const CREDENTIAL = /\b(?:bearer|basic)\s{1,4}([\w.~+/=-]{8,})/dgi;

/** Puts `x` in the place of the secrets of a body. */
export function redactBody(bytes: Uint8Array, from: number, end: number): void {
  let line = from;
  while (line < end) {
    const next = lineEnd(bytes, line, end);
    const first = (bytes[line] ?? 0) | LOWER;
    if ((first === 0x61 || first === 0x6b) && bytes[line + 1] === SIGN.equals) redactSdp(bytes, line, next);
    line = next + 1;
  }
  if (isSdp(bytes, from)) return;
  const body = latin1(bytes, from, end);
  // Each has a sign of its own, which costs a fraction of it: every callback of an alarm has a web token and no other secret.
  if (SECRET_NAME.test(body)) for (const pattern of NAMED_SECRETS) maskGroups(bytes, from, body, pattern);
  if (body.includes('PRIVATE KEY')) maskGroups(bytes, from, body, PRIVATE_KEY);
  if (body.includes('eyJ')) maskGroups(bytes, from, body, WEB_TOKEN);
  if (SCHEME.test(body)) maskGroups(bytes, from, body, CREDENTIAL);
}

/** `v=0`: the lines of SDP are all that is there. */
const isSdp = (bytes: Uint8Array, from: number): boolean =>
  bytes[from] === 0x76 && bytes[from + 1] === SIGN.equals && bytes[from + 2] === 0x30;

function redactSdp(bytes: Uint8Array, from: number, to: number): void {
  for (const [name, words] of SDP_SECRETS) {
    if (!isAt(bytes, from, name)) continue;
    let at = from + name.length;
    for (let word = 0; word < words; word++) at = wordEnd(bytes, at, to) + 1;
    mask(bytes, at, to);
    return;
  }
}

function isAt(bytes: Uint8Array, from: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++)
    if (((bytes[from + i] ?? 0) | LOWER) !== ((name[i] ?? 0) | LOWER)) return false;
  return true;
}
