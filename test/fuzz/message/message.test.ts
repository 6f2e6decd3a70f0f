import { describe, expect, it } from 'vitest';
import { xmlText } from '#appliance/alarm/protocol/xml-message/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { fastestMs, slowOnes } from '../../appliance/alarm/protocol/mutate.ts';
import { dice } from '../../appliance/alarm/random.ts';
import { drawOf, type Expected, type Form, KINDS, type Message } from './damage.ts';
import { LACS_KINDS, NOWIP_KINDS, PROTOCOLS, type Protocol } from './protocol.ts';
import type { Body, Outcome } from './receiver.ts';

/*
 * Damaged messages of NOW-IP and LACS. The README of the tests has the rule and the share of each kind.
 */

/** Inputs of each protocol. */
const ROUNDS = rounds(20_000, 100_000);
const SEED = 20_261_127;

/** Kinds that are no valid XML, or hold something that cannot be taken as it stands. */
const WARNED: readonly string[] = [
  'white space within tags',
  'identity doubled with another value',
  'closing tag lost',
  'closing tag broken',
  'opening tag broken',
  'cut off behind the mandatory elements',
  'said twice in one body',
  'attribute without quotes',
  'identity missing',
  ...Object.keys(NOWIP_KINDS),
  ...Object.keys(LACS_KINDS),
];

/** The same of the other unit. */
const otherOf = (message: Message): Message => ({
  ...message,
  elements: message.elements.map((each) => (each[0] === message.identity ? [each[0], message.other] : each)),
});

interface Damaged extends Body {
  readonly kind: string;
  readonly unit: string;
  /** A unit that must get nothing. */
  readonly other: string;
  readonly expected: Expected;
}

function* damaged(protocol: Protocol, count: number): Generator<Damaged> {
  const draw = drawOf(dice(SEED));
  const kinds = Object.entries({ ...KINDS, ...protocol.kinds });
  for (let round = 0; round < count; round++) {
    const [kind, damage] = kinds[round % kinds.length] as (typeof kinds)[number];
    const message = protocol.message(draw);
    const { body, encoding, expected = 'taken' }: Form = damage(message, draw);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    yield {
      kind,
      unit: protocol.unitOf(message),
      other: protocol.unitOf(otherOf(message)),
      body: bytes,
      encoding,
      expected,
    };
  }
}

/** undefined: what became of it is right. */
function faultOf(
  { kind, unit, other, body, encoding, expected }: Damaged,
  outcome: Outcome,
): string | undefined {
  const { answers, events, reports } = outcome;
  if (expected === 'refused') {
    if (answers.length + events.length > 0) return 'taken';
    return reports.length === 0 ? 'silent' : undefined;
  }
  const [delivered] = events;
  if (delivered === undefined || answers.length !== 1) return `not taken: ${reports.join()}`;
  const { event, source } = delivered;
  const said = `${event.controllerId}${event.deviceId ?? ''}`;
  // A packed body is compared by its fields alone.
  if (encoding === undefined && body[0] === LESS_THAN && source.raw !== xmlText(body)) return 'raw text lost';
  if (WARNED.includes(kind) && source.warnings.length === 0) return 'no warning';
  if (said === other) return 'another unit';
  if (expected === 'unknownUnit') return said === unit ? 'a known unit' : undefined;
  if (expected === 'inPart') return unit.startsWith(event.controllerId) ? undefined : `unit ${said}`;
  return said === unit && delivered.kind === 'first' ? undefined : `${delivered.kind} of unit ${said}`;
}

const LESS_THAN = 0x3c;

describe.each(Object.entries(PROTOCOLS))('a damaged message of %s', (_, protocol) => {
  const rule = 'what names its unit is acknowledged and delivered, none is silent, none takes 5 ms';
  it(`${ROUNDS} of them: ${rule}`, { timeout: Math.max(300_000, 10 * ROUNDS) }, () => {
    const rows = new Map<string, { inputs: number; right: number; first: string }>();
    const slow = slowOnes(damaged(protocol, ROUNDS), (one) => {
      const fault = faultOf(one, protocol.receive(one));
      const { inputs, right, first } = rows.get(one.kind) ?? { inputs: 0, right: 0, first: '' };
      const text =
        fault === undefined || first !== ''
          ? first
          : `${fault}: ${JSON.stringify(one.body.toString('latin1'))}`;
      rows.set(one.kind, { inputs: inputs + 1, right: right + (fault === undefined ? 1 : 0), first: text });
    });
    if (process.env.FUZZ_TABLE !== undefined) process.stdout.write(`${tableOf(rows)}\n`);
    expect([...rows].filter(([, { inputs, right }]) => right < inputs)).toEqual([]);
    expect(slow).toEqual([]);
  });

  it.each([
    '<',
    '<data',
    '<data>',
    '</data>',
    '<a b ',
    '<!--',
    '<![CDATA[<',
    '<?',
    '&#',
    'data>1</data>',
    '< ',
    '<data>1',
    '1',
  ])('costs less than 5 ms when it is nothing but %j', (piece) => {
    for (const root of ['ATM', 'alarm']) {
      const text = `<${root}><type>1</type>${piece}`.padEnd(65_000, piece);
      expect(fastestMs(() => protocol.receive({ body: Buffer.from(text) }))).toBeLessThan(5);
    }
  });
});

/** Share of right outcomes by kind: the table of the README. */
const tableOf = (rows: ReadonlyMap<string, { readonly inputs: number; readonly right: number }>): string =>
  [...rows]
    .map(([kind, { inputs, right }]) => `| ${kind} | ${Math.round((100 * right) / inputs)} % |`)
    .join('\n');
