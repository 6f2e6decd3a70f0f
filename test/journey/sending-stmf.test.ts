import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES } from '#appliance/media/audio/index.ts';
import { render, STMF_TIMES, StmfDetector, stmf } from '#appliance/media/dtmf/index.ts';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
import { must } from '#test/support/media.ts';
import {
  AT_CENTRE,
  allQuiet,
  answerCall,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  phoneAt,
  send,
  sendingPair,
} from '#test/support/sending.ts';

/* Events that go out in TT92 to a centre that asks in sequential tones (`dataRequestType` combined), or in them alone. */

const opened = keptPairs();
const COMBINED = { toneSettings: { dataRequestType: 'combined' } };
const LINE = 'D#1016123456780042000000';

type Content = Record<string, unknown>;

/** `ours`: how the sender speaks; `theirs`: how the centre does. */
async function two({ ours, theirs, bridge }: { ours?: Content; theirs?: Content; bridge?: Content }) {
  const made = await sendingPair(
    { protocol: 'tt92', destAddr: AT_CENTRE, ...LOGIN },
    { mapper: ours === undefined ? {} : { protocolProfile: 'own' } },
  );
  opened.push(made);
  centreKnows(made);
  for (const [site, content] of [
    [made.sender, ours],
    [made.centre, theirs],
  ] as const) {
    const row = { name: 'own', kind: 'tone', extends: 'tt92', content };
    if (content !== undefined)
      site.tenant.put('protocolprofile', 'own', protocolProfileRequestSchema.parse(row));
  }
  const named = theirs === undefined ? {} : { protocolProfile: 'own' };
  centreBridge(made, 'tt92', { ...COMBINED, ...named, ...bridge });
  return made;
}
type Made = Awaited<ReturnType<typeof two>>;

/** How the centre has heard the digits of its events: one letter a digit, S in sequential tones and D in DTMF. */
const detectedBy = (site: Made['centre']): string =>
  site
    .trace(String(callbacksOf(site, 'newAlarmbridgeEvent')[0]?.traceId))
    .filter(({ kind }) => kind === 'toneHeard')
    .map((entry) => (JSON.stringify(entry).includes('stmf') ? 'S' : 'D'))
    .join('');

async function sent(made: Made): Promise<void> {
  await send(made);
  await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
  await made.after(1_000);
  expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'tt92', alarmString: LINE }]);
  expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
    {
      sourceAlarmProtocol: 'tt92',
      alarmEvent: { controllerId: '123456780042', statusCode: 'alarmManual' },
      sourceAlarmEvent: { raw: LINE, warnings: [] },
    },
  ]);
}

const ALWAYS = { sender: { sequential: 'always' } };
const ONLY = { trigger: { combined: [{ stmf: true, digits: '0' }] } };

describe('an event that goes out in TT92', () => {
  it.each<[string, Parameters<typeof two>[0], string]>([
    ['to a centre that asks in both, in DTMF', {}, 'D'],
    ['to one that asks in sequential tones alone, in them', { theirs: ONLY }, 'S'],
    ['to one that asks in both, in sequential tones where the profile says so', { ours: ALWAYS }, 'S'],
    [
      'in the times of the profile of both',
      {
        ours: { ...ALWAYS, stmf: { rowMs: 110, gapMs: 10, columnMs: 110, digitMs: 240 } },
        theirs: { stmf: { rowMs: 110, gapMs: 10, columnMs: 110, digitMs: 240 } },
      },
      'S',
    ],
    ['to a centre with protocolMode dtmf, in DTMF', { bridge: { protocolMode: 'dtmf' } }, 'D'],
  ])('%s, is acknowledged and cleared', async (_, setting, form) => {
    const made = await two(setting);
    await sent(made);
    expect(detectedBy(made.centre)).toBe(form.repeat(LINE.length));
    await made.after(60_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
    allQuiet(made);
  });

  it('and is not acknowledged in DTMF is said in sequential tones', async () => {
    const made = await two({});
    made.centre.breakDisk(true);
    await send(made);
    // The centre has it, cannot store it and says nothing.
    await made.after(8_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
    made.centre.breakDisk(false);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    await made.after(1_000);
    expect(detectedBy(made.centre)).toBe('S'.repeat(LINE.length));
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
  });

  it('names its unit in them for a scheme, which is selected, spoken with and cleared', async () => {
    const made = await two({ theirs: ONLY });
    await send(made, { alarmEvent: { systemConfig: 'groupedSupervisorOffDuty' } });
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 60_000);
    expect(callbacksOf(made.sender, 'alarmQueued')).toHaveLength(1);
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([
      { alarmString: 'D#102612345678****000000 6D42DDDD' },
    ]);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent').map(({ alarmEvent }) => alarmEvent)).toMatchObject(
      [{ controllerId: '12345678' }, { controllerId: '12345678', deviceId: '042' }],
    );
    await made.after(60_000);
    allQuiet(made);
  });
});

interface Sound {
  readonly hz: number;
  readonly startMs: number;
  readonly ms: number;
}

/** Single tones by nothing but their zero crossings and their silences: no detector of ours has a part in it. */
function soundsIn(samples: Int16Array): readonly Sound[] {
  const [loud, gap] = [600, 20];
  const sounds: Sound[] = [];
  let from = -1;
  let last = -1;
  const close = (): void => {
    if (from < 0) return;
    const crossings: number[] = [];
    for (let at = from + 1; at <= last; at++) {
      const [a, b] = [samples[at - 1] ?? 0, samples[at] ?? 0];
      if (a < 0 && b >= 0) crossings.push(at - 1 + a / (a - b));
    }
    const cycles = crossings.length - 1;
    const hz = (cycles * 8_000) / ((crossings.at(-1) ?? 0) - (crossings[0] ?? 0));
    sounds.push({ hz, startMs: from / 8, ms: (last - from + 1) / 8 });
    from = -1;
  };
  samples.forEach((sample, at) => {
    if (Math.abs(sample) < loud) {
      if (from >= 0 && at - last > gap) close();
      return;
    }
    if (from < 0) from = at;
    last = at;
  });
  close();
  return sounds;
}

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];
const GRID = '123A456B789C*0#D';

it('reaches the receiver as row tone, pause and column tone of the digits, in their lengths', async () => {
  const made = await sendingPair({ protocol: 'tt92', destAddr: 'sip:arc@care.example' });
  opened.push(made);
  const arc = await phoneAt(made, 'sender', 'arc');
  await send(made);
  await answerCall(made, arc);
  await made.after(500);
  const before = arc.audio.received.length;
  arc.audio.say(render(must(stmf('0'))));
  await made.after(160 + 570 + 80 + LINE.length * 160 + 700);
  const samples = arc.audio.received.slice(before);
  const sounds = soundsIn(samples);
  expect(sounds).toHaveLength(2 * LINE.length);
  const digits = [...LINE].map((digit) => GRID.indexOf(digit));
  digits.forEach((index, place) => {
    const [row, column] = [sounds[2 * place], sounds[2 * place + 1]];
    if (row === undefined || column === undefined) throw new Error('not heard');
    expect(Math.abs(row.hz / (ROWS[index >> 2] ?? 0) - 1)).toBeLessThan(0.002);
    expect(Math.abs(column.hz / (COLUMNS[index & 3] ?? 0) - 1)).toBeLessThan(0.002);
    for (const { ms } of [row, column]) expect(Math.abs(ms - 75)).toBeLessThan(1);
    expect(Math.abs(column.startMs - row.startMs - 80)).toBeLessThan(1);
    expect(Math.abs(row.startMs - (sounds[0]?.startMs ?? 0) - place * 160)).toBeLessThan(1);
  });
  // Our own detector for it listens as well.
  let text = '';
  const detector = new StmfDetector(STMF_TIMES, (event) => {
    if (event.kind === 'end') text += event.digit;
  });
  for (let tick = 0; (tick + 1) * FRAME_SAMPLES <= samples.length; tick++)
    detector.push(samples.subarray(tick * FRAME_SAMPLES, (tick + 1) * FRAME_SAMPLES), tick, false);
  expect(text).toBe(LINE);
});
