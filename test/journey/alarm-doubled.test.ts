import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dtmf, render } from '#appliance/media/dtmf/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { isLoud } from '#test/support/tone/tone-line.ts';
import { speechOf } from '#test/support/tone-speech.ts';

/*
 * A digit that is heard twice (an echo of the line, a tone that is split in two): asked for again as the protocol does that, the next
 * try is the alarm; where every try is garbled the call itself is it. Never silence, never another unit.
 */

const PROTOCOLS = ['bs8521', 'tt92', 'ttnew', 'contactId', 'p100'] as const;
/** Answer to a string that cannot be read: lifts hear a refusal, others hear nothing. */
const REFUSED: Readonly<Record<string, string>> = { p100: 'C' };

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  unit = await net.device('unit', '192.0.2.30');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

interface Report {
  readonly sourceAlarmProtocol: string;
  readonly alarmEvent: { readonly controllerId: string; readonly audio: string };
  readonly sourceAlarmEvent: { readonly raw: string; readonly warnings: readonly string[] };
}

const reported = (): readonly Report[] =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => body as unknown as Report);

async function asked(protocol: string) {
  const arc = await net.device('arc', '192.0.2.31');
  const defaultEmergencyDestination = 'sip:arc@care.example';
  site.bridge({ protocol, name: 'Units', destinationMatch: '^here$', defaultEmergencyDestination });
  const talk = await unit.invite('here', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.after(speechOf(protocol).askedMs, 100);
  return { arc, talk };
}

/** Sounds that the device hears in so long behind its own: digits, or `~` for any other sound. */
async function answerTo(samples: Int16Array, ms: number): Promise<string> {
  unit.audio.say(samples);
  await net.after(Math.ceil(samples.length / 8 / 20) * 20, 20);
  unit.audio.forget();
  await net.after(ms, 100);
  const digits = unit.audio.digits.map(({ digit }) => digit).join('');
  return digits !== '' || !unit.audio.packets.some(({ payload }) => isLoud(payload)) ? digits : '~';
}

function said(protocol: string, string: string): Int16Array {
  const { ms } = speechOf(protocol);
  const made = dtmf(string, { onMs: ms, offMs: ms });
  if (!made.ok) throw new Error(made.error.reason);
  // The pause behind the last digit is ours to listen in.
  return render(made.value.slice(0, -1));
}

const doubled = (string: string, place: number): string =>
  `${string.slice(0, place)}${string[place - 1]}${string.slice(place)}`;

/** Digits of this protocol's string: the second, one in the middle, and the last that is no end sign. */
const places = (protocol: string): readonly number[] => {
  const { length } = speechOf(protocol).string;
  return [2, Math.floor(length / 2), protocol === 'bs8521' ? length - 1 : length];
};

describe.each(PROTOCOLS)('%s', (protocol) => {
  const { string, taken } = speechOf(protocol);
  const acknowledge = taken === '' ? '~' : taken;

  it.each(places(protocol))(
    'with digit %i twice: not acknowledged, and the next try is the alarm',
    async (place) => {
      await asked(protocol);
      expect(await answerTo(said(protocol, doubled(string, place)), 900)).toBe(REFUSED[protocol] ?? '');
      expect(reported()).toEqual([]);
      expect(await answerTo(said(protocol, string), 900)).toContain(acknowledge);
      await net.after(2_000);
      expect(reported()).toMatchObject([
        { sourceAlarmProtocol: protocol, sourceAlarmEvent: { raw: string, warnings: [] } },
      ]);
      const [line] = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 });
      expect(line).toMatchObject({ retried: 1, badStrings: 1 });
    },
  );

  it('with a digit twice in every try: the call is the alarm, says so, and people are joined', async () => {
    const { arc } = await asked(protocol);
    const [, place = 2] = places(protocol);
    for (let tries = 0; tries < 4 && reported().length === 0; tries++)
      await answerTo(said(protocol, doubled(string, place)), 1_500);
    for (let waited = 0; waited < 60 && reported().length === 0; waited++) await net.after(1_000);
    expect(reported()).toMatchObject([
      {
        sourceAlarmProtocol: 'voicecall',
        alarmEvent: { audio: 'duplex' },
        sourceAlarmEvent: { warnings: ['noValidString'] },
      },
    ]);
    // The digits that were heard go with it.
    expect(JSON.stringify(reported()[0]?.sourceAlarmEvent)).toContain(doubled(string, place));
    arc.request('INVITE');
  });

  it('with a digit twice, and a device that gives up: the event says that, too', async () => {
    const { talk } = await asked(protocol);
    await answerTo(said(protocol, doubled(string, 2)), 500);
    unit.inDialog(talk, 'BYE');
    await net.after(1_500);
    expect(reported()).toMatchObject([
      { sourceAlarmProtocol: 'voicecall', sourceAlarmEvent: { warnings: ['hungUp'] } },
    ]);
  });
});

it('P100: a tone of 100 ms that is split in two by 32 ms of silence is asked for again', async () => {
  await asked('p100');
  const { string } = speechOf('p100');
  const samples = said('p100', string);
  // In the middle of the fifth symbol.
  const from = (4 * 200 + 34) * 8;
  samples.fill(0, from, from + 32 * 8);
  expect(await answerTo(samples, 900)).toBe('C');
  expect(await answerTo(said('p100', string), 900)).toContain('A');
  await net.after(2_000);
  expect(reported()).toMatchObject([{ sourceAlarmProtocol: 'p100', sourceAlarmEvent: { raw: string } }]);
});
