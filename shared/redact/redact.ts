/** Kept of a number: enough to find it again, too little to call it. */
const KEPT_DIGITS = 3;
const LONG_NUMBER = /(?<![\w.:/-])\+?\d{7,15}(?![\w.:/-])/g;
const SIP_NUMBER = /(sips?:)\+?(\d{5,15})(?=@)/gi;

const SECRET = '<secret>';

/** Patterns of texts that are secret in every place. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?-----END \1-----/g, SECRET],
  // Compact JWS and JWE (RFC 7515 7.1, RFC 7516 7.1).
  [/\beyJ[\w-]{5,}\.[\w-]*\.[\w-]*(?:\.[\w-]*\.[\w-]*)?/g, SECRET],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${SECRET}`],
  [/\b(Authorization|Proxy-Authorization|Cookie|Set-Cookie)(["']?\s*[:=]\s*)[^\r\n]+/gi, `$1$2${SECRET}`],
  // user:password@ in an address.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:"']+:[^\s/@"']+@/gi, `$1${SECRET}@`],
  [/\b(a=crypto:\d+ \S+ inline:)[^\s|]+/gi, `$1${SECRET}`],
  [
    /\b([\w-]*(?:password|passwd|secret|token|claim|claimCode|api[_-]?key|private[_-]?key|ha1|pin|credential)["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;}\]"']+)/gi,
    `$1"${SECRET}"`,
  ],
  [/\b[\w.+-]+@(?!\d+\.\d+)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b(?!:)/gi, '<address>'],
  // Keys and hashes: long, and of hexadecimal or base 64 signs only, with digits among them.
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{32,}\b/gi, '<key>'],
  [/(?<![\w+/=-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{40,}={0,2}(?![\w+/=-])/g, '<key>'],
];

/**
 * Takes secrets, addresses of people and numbers out of a text that leaves the site. Known secrets go wherever they stand;
 * what looks like one goes too: a bundle that says too little can be made again, one that said too much cannot.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  // Longest first: one secret may be part of another.
  for (const secret of [...secrets].filter((each) => each.length >= 4).sort((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(secret, SECRET);
  }
  clean = clean.replace(SIP_NUMBER, (_, scheme: string, digits: string) => `${scheme}${shortened(digits)}`);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean.replace(LONG_NUMBER, shortened);
}

const SECRET_NAME =
  /(?:password|passwd|secret|token|claim|claimCode|api[_-]?key|private[_-]?key|ha1|pin|credential|authorization|cookie)$/i;

/**
 * `redact` for one line of a log. A line that is JSON is masked value by value and stays JSON, so that its reader can still
 * tell its fields apart.
 */
export function redactLine(line: string, secrets: readonly string[] = []): string {
  const fields = jsonOf(line);
  return fields === undefined ? redact(line, secrets) : JSON.stringify(withoutSecrets(fields, secrets));
}

/** `redact` for a text of which some lines are JSON, as a log has them; what stands between is masked as one text. */
export function redactLines(text: string, secrets: readonly string[] = []): string {
  const parts: { json: boolean; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const json = jsonOf(line) !== undefined;
    const last = parts.at(-1);
    if (last?.json === json) last.lines.push(line);
    else parts.push({ json, lines: [line] });
  }
  return parts
    .map(({ json, lines }) =>
      json ? lines.map((line) => redactLine(line, secrets)).join('\n') : redact(lines.join('\n'), secrets),
    )
    .join('\n');
}

function jsonOf(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as object;
  } catch {
    return undefined;
  }
}

function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      SECRET_NAME.test(name) && each !== null ? SECRET : withoutSecrets(each, secrets),
    ]),
  );
}

const shortened = (number: string): string => `…${number.slice(-KEPT_DIGITS)}`;

/** Takes secrets out of anything that becomes JSON: by the names of keys first, then as text. */
export function redactValue(
  value: unknown,
  secretNames: ReadonlySet<string>,
  secrets: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((each) => redactValue(each, secretNames, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      secretNames.has(name) && each !== undefined && each !== null
        ? SECRET
        : redactValue(each, secretNames, secrets),
    ]),
  );
}
