/** Hash of a text in lower-case hex. */
type Sha256Hex = (text: string) => string;

/** The value of every field that would open something. Nothing that the platform signs looks like it. */
export const INERT = 'copy-opens-nothing';

/** Fields whose values open something at the platform or elsewhere. */
const OPENS = /^(replyId|.*(token|secret|password|authorization|signature|credential|key))$/i;
/** A signed token (RFC 7515 3.1), wherever it stands. */
const SIGNED = /eyJ[\w-]*\.[\w-]*/;
const ADDRESS = /^(?:https?|wss?|ftps?|s3|mqtts?):\/\//i;

/**
 * Fields that hold words of the contract or ids that the platform made. Everything else a device, a line or a person may have
 * written, so that it is masked.
 */
const PLAIN = new Set([
  ...['action', 'event', 'eventType', 'type', 'error', 'format', 'protocol', 'sourceAlarmProtocol', 'scope'],
  ...[
    'deviceType',
    'statusCode',
    'audio',
    'audioType',
    'audioDirection',
    'direction',
    'severity',
    'category',
  ],
  ...[
    'sessionId',
    'traceId',
    'recordId',
    'recordingId',
    'streamId',
    'participantId',
    'connectionId',
    'domain',
  ],
  ...['siteId', 'hostId', 'alarmId', 'eventId', 'kind', 'result', 'state', 'status', 'codec', 'language'],
]);
/** A value of such a field; a text that has blanks or signs is no word of the contract. */
const WORD = /^[\w.:-]{1,80}$/;
/** Numbers that count or measure; a longer number elsewhere may be one that is dialled. */
const MEASURES = /(time|at|ms|seq|size|bytes|count|duration|length|level|frequency)$/i;
const MOST_PLAIN_NUMBER = 99_999;
const PREFIX = /^(?:sips?|tel|mailto):/i;

/**
 * The body of a callback without what is personal and without what opens anything. Letters and digits of a text become others, so
 * that its form stays; the same text becomes the same within one salt, so that a developer can follow one device.
 *
 * @param body JSON text, or any text of an event map
 * @param salt random text that is forgotten with the process
 */
export function maskedBody(body: string, salt: string, sha256Hex: Sha256Hex): string {
  const masker = new Masker(salt, sha256Hex);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return masker.text(body);
  }
  return JSON.stringify(masker.value('', parsed));
}

class Masker {
  readonly #salt: string;
  readonly #sha256Hex: Sha256Hex;

  constructor(salt: string, sha256Hex: Sha256Hex) {
    this.#salt = salt;
    this.#sha256Hex = sha256Hex;
  }

  value(name: string, value: unknown): unknown {
    if (typeof value === 'string') return this.#named(name, value);
    if (typeof value === 'number')
      return Math.abs(value) <= MOST_PLAIN_NUMBER || MEASURES.test(name) ? value : 0;
    if (Array.isArray(value)) return value.map((each) => this.value(name, each));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.value(key, each)]));
    return value;
  }

  #named(name: string, text: string): string {
    if (OPENS.test(name)) return INERT;
    if (PLAIN.has(name) && WORD.test(text) && text.search(SIGNED) < 0) return text;
    if (ADDRESS.test(text)) return 'https://copy.invalid/';
    return this.text(text);
  }

  /** Another text of the same form. */
  text(text: string): string {
    const [prefix = ''] = PREFIX.exec(text) ?? [];
    const rest = text.slice(prefix.length);
    const noise = this.#sha256Hex(`${this.#salt} ${rest}`);
    let at = 0;
    const next = (): number => Number.parseInt(noise.slice((at * 2) % 64, ((at * 2) % 64) + 2), 16) + at++;
    return (
      prefix +
      rest.replace(/[\p{L}\p{N}]/gu, (sign) => {
        if (/\p{N}/u.test(sign)) return String(next() % 10);
        const letter = String.fromCharCode(97 + (next() % 26));
        return sign === sign.toLowerCase() ? letter : letter.toUpperCase();
      })
    );
  }
}
