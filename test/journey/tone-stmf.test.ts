import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRAME_SAMPLES } from '#appliance/media/audio/index.ts';
import { render, STMF_TIMES, StmfDetector, silence, stmf } from '#appliance/media/dtmf/index.ts';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
import { seeded } from '#test/campaign/campaign.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { must } from '#test/support/media.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { handshakes, type ToneLineSetting } from '#test/support/tone/tone-line.ts';

/* TT92 units that are asked in sequential tones (`dataRequestType` combined) and answer in them. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;
let action: 'callEmergencyCenter' | 'drop';

beforeEach(async () => {
  action = 'callEmergencyCenter';
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action }));
  unit = await net.device('unit', '192.0.2.30');
  arc = await net.device('arc', '192.0.2.31');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect') && !line.includes('no space'))).toEqual([]);
  await site.close();
});

const FRAME = 'D#1017112233445566000000';
const SECOND = 'D#1014112233445566000000';

const reported = () =>
  site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').map(({ body }) => body);
const controllers = () =>
  reported().map(({ alarmEvent }) => (alarmEvent as { readonly controllerId?: string }).controllerId);
const warnings = () =>
  reported().map(
    ({ sourceAlarmEvent }) => (sourceAlarmEvent as { readonly warnings?: readonly string[] }).warnings,
  );

/** DTMF digits since the last look; those that are no short ones with their length. */
const detected = (): string =>
  unit.audio.digits
    .splice(0)
    .map(({ digit, ms }) => (ms < 200 ? digit : `(${digit} ${Math.round(ms / 100) * 100})`))
    .join('');

/** Everything that the unit has heard in sequential tones. */
function detectedInSequence(times = STMF_TIMES): string {
  let text = '';
  const detector = new StmfDetector(times, (event) => {
    if (event.kind === 'end') text += event.digit;
  });
  const samples = unit.audio.received;
  for (let tick = 0; (tick + 1) * FRAME_SAMPLES <= samples.length; tick++)
    detector.push(samples.subarray(tick * FRAME_SAMPLES, (tick + 1) * FRAME_SAMPLES), tick, false);
  return text;
}

function bridge(fields: Record<string, unknown> = {}): void {
  site.bridge({
    protocol: 'tt92',
    name: 'Units',
    destinationMatch: '^tt$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    toneSettings: { dataRequestType: 'combined' },
    ...fields,
  });
}

/** The unit has called and is asked. */
async function asked(fields: Record<string, unknown> = {}) {
  bridge(fields);
  const talk = await unit.invite('tt', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.after(900, 100);
  return talk;
}

/** The unit says something in sequential tones; what it hears until `ms` after it. */
async function says(symbols: string, ms = 1_000): Promise<string> {
  unit.audio.say(render(must(stmf(symbols))));
  await net.after(symbols.length * 160 + ms, 100);
  return detected();
}

async function people() {
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.after(200, 100);
  arc.request('ACK');
  return arc.answeredTalk(invite);
}

describe('a unit that answers in sequential tones', () => {
  it('is asked in both, taken, acknowledged, joined with people and cleared', async () => {
    const talk = await asked();
    expect([detectedInSequence(), detected()]).toEqual(['0', '0#']);
    expect(await says(FRAME, 1_500)).toBe('B0');
    expect(reported()).toMatchObject([
      {
        sourceAlarmProtocol: 'tt92',
        alarmEvent: { controllerId: '112233445566', deviceType: 'localUnit', statusCode: 'alarmManual' },
        sourceAlarmEvent: { raw: FRAME, warnings: [] },
      },
    ]);
    const [handshake] = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 });
    expect(handshake).toMatchObject({ protocol: 'tt92', calls: 1, firstTry: 1, requests: 1, digits: 24 });
    expect(handshake?.levelDbm0).toBeCloseTo(-9, 0);
    expect(handshake?.twistDb).toBeCloseTo(0, 0);
    const said = site.trace(String(reported()[0]?.traceId)).filter(({ kind }) => kind === 'toneHeard');
    expect(JSON.stringify(said[0])).toContain('stmf');
    const arcTalk = await people();
    await net.after(500, 100);
    arc.inDialog(arcTalk, 'BYE');
    await net.after(3_500);
    expect(detected()).toBe('(* 500)(# 2000)');
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, legs: 0, alarms: 0 });
    expect(site.media.openLegs).toEqual([]);
  });

  it('may answer in DTMF', async () => {
    await asked();
    detected();
    unit.audio.press(FRAME);
    await net.after(FRAME.length * 160 + 1_000, 100);
    expect(detected()).toBe('B0');
    expect(reported()).toMatchObject([{ sourceAlarmEvent: { raw: FRAME } }]);
  });

  it('may answer before the request is over', async () => {
    bridge();
    const talk = await unit.invite('tt', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(200, 20);
    expect(await says(FRAME)).toMatch(/B0$/);
    expect(reported()).toHaveLength(1);
  });

  it('says its events one after the other; the same again is acknowledged and is none', async () => {
    await asked();
    detected();
    expect(await says(FRAME)).toBe('B0');
    expect(await says(FRAME)).toBe('B0');
    expect(await says(SECOND)).toBe('B0');
    expect(reported().map(({ alarmEvent }) => (alarmEvent as Record<string, unknown>).statusCode)).toEqual([
      'alarmManual',
      'lowBattery',
    ]);
    expect(new Set(reported().map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it('gets no acknowledge while the disk is full; the string that is repeated is the alarm', async () => {
    action = 'drop';
    await asked();
    detected();
    site.breakDisk(true);
    expect(await says(FRAME)).toBe('');
    site.breakDisk(false);
    expect(await says(FRAME)).toBe('B0');
    expect(reported()).toHaveLength(1);
  });

  it('is the controller of a scheme: its unit is named, selected and spoken with', async () => {
    await asked();
    detected();
    expect(await says('D#202100001234****000000', 600)).toBe('B0');
    expect(await says('7D42DDDD', 2_600)).toBe('D42B');
    expect(await says('1DDDD42A', 600)).toBe('');
    expect(reported()).toHaveLength(2);
    expect(reported()[1]).toMatchObject({ alarmEvent: { controllerId: '00001234', deviceId: '042' } });
  });

  it('leads the call of a number of several protocols', async () => {
    bridge({ protocol: 'multiprotocol' });
    const talk = await unit.invite('tt', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(300, 100);
    expect(await says(FRAME)).toBe('B0');
    expect(reported()).toMatchObject([
      { sourceAlarmProtocol: 'tt92', alarmEvent: { controllerId: '112233445566' } },
    ]);
  });
});

describe('sequential tones', () => {
  it.each([
    ['are not asked for (standard)', { toneSettings: { dataRequestType: 'standard' } }],
    ['are switched off (protocolMode dtmf)', { protocolMode: 'dtmf' }],
  ])('that %s are not listened for', async (_, fields) => {
    action = 'drop';
    await asked(fields);
    expect([detectedInSequence(), detected()]).toEqual(['', '0#']);
    await says(FRAME, 5_000);
    expect(controllers()).not.toContain('112233445566');
  });

  it('have the times of the profile, ours and those of the unit', async () => {
    const times = { rowMs: 140, gapMs: 10, columnMs: 140, digitMs: 300 };
    const row = { name: 'slow', kind: 'tone', extends: 'tt92', content: { stmf: times } };
    site.tenant.put('protocolprofile', 'slow', protocolProfileRequestSchema.parse(row));
    await asked({ protocolProfile: 'slow' });
    await net.after(300, 100);
    expect([detectedInSequence(times), detected()]).toEqual(['0', '0#']);
    expect(detectedInSequence()).toBe('');
    unit.audio.say(render(must(stmf(FRAME, times))));
    await net.after(FRAME.length * 300 + 1_000, 100);
    expect(detected()).toBe('B0');
    expect(controllers()).toEqual(['112233445566']);
  });

  it('are read from a unit with a clock that is 8 % off', async () => {
    await asked();
    detected();
    const slow = { rowMs: 81, gapMs: 5, columnMs: 81, digitMs: 173 };
    unit.audio.say(render(must(stmf(FRAME, slow))));
    await net.after(FRAME.length * 173 + 1_000, 100);
    expect(detected()).toBe('B0');
    expect(controllers()).toEqual(['112233445566']);
  });
});

describe('a digit that was not detected', () => {
  /** The digit at this place is silent for as long as it lasts. */
  const saysBut = (place: number) => {
    const [first, rest] = [FRAME.slice(0, place), FRAME.slice(place + 1)];
    unit.audio.say(render([...must(stmf(first)), silence(160), ...must(stmf(rest))]));
    return net.after(FRAME.length * 160 + 1_000, 100);
  };

  it('makes no other unit of it: not acknowledged, and taken when it is said again whole', async () => {
    await asked();
    detected();
    // 11 would be heard as 111.
    await saysBut(8);
    expect([detected(), reported().length]).toEqual(['', 0]);
    expect(await says(FRAME)).toBe('B0');
    expect([controllers(), warnings()]).toEqual([['112233445566'], [[]]]);
  });

  it('is the one before it, once it was said so twice, and the event says it', async () => {
    await asked();
    detected();
    await saysBut(9);
    expect([detected(), reported().length]).toEqual(['', 0]);
    await saysBut(9);
    expect(detected()).toBe('B0');
    expect([controllers(), warnings()]).toEqual([['112233445566'], [['repeatFilled']]]);
  });
});

describe('a unit that hangs up', () => {
  it.each([
    ['while it is asked', 300, '', 0],
    ['within its string', 900, FRAME, 2_000],
    ['behind its string, before its acknowledge', 900, FRAME, FRAME.length * 160],
    ['during its acknowledge', 900, FRAME, FRAME.length * 160 + 350],
    ['while its people are called', 900, FRAME, FRAME.length * 160 + 2_500],
  ])('%s: leaves one event and nothing else', async (_, askedMs, string, afterMs) => {
    bridge();
    const talk = await unit.invite('tt', net.pump);
    unit.acknowledge(talk, unit.response(200));
    await net.after(askedMs, 100);
    if (string !== '') unit.audio.say(render(must(stmf(string))));
    if (afterMs > 0) await net.after(afterMs, 20);
    const invite = arc.has('INVITE') ? arc.request('INVITE') : undefined;
    if (invite !== undefined) arc.respond(invite, 180);
    await net.pump();
    unit.inDialog(talk, 'BYE');
    await net.after(2_000);
    if (invite !== undefined) {
      arc.respond(arc.request('CANCEL'), 200);
      arc.respond(invite, 487);
    }
    expect(invite !== undefined).toBe(afterMs > FRAME.length * 160 + 1_500);
    expect(reported()).toHaveLength(1);
    expect(JSON.stringify(reported()[0]?.sourceAlarmEvent)).toContain(
      afterMs > FRAME.length * 160 ? FRAME : 'hungUp',
    );
    await net.after(40_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });
});

const STALL = { mostMs: 60, perSecond: 15 } as const;
const LINES: readonly (readonly [string, Partial<ToneLineSetting>, number])[] = [
  ['a clean line', {}, 12],
  ['1 % loss and 30 ms of jitter', { loss: 0.01, jitterMs: 30 }, 10],
  ['a low level, 1 % loss and jitter', { loss: 0.01, jitterMs: 30, levelDbm0: -30 }, 10],
  ['noise 12 dB below its digits', { noiseDb: 12 }, 12],
  ['while the thread of the audio is late', { stall: STALL }, 10],
];

describe('on a line', () => {
  it.each(LINES)(
    '%s: each alarm is reported once and for its unit',
    async (_, line, least) => {
      const all = await handshakes({ protocol: 'tt92-stmf', random: seeded(4711), ...line }, 12);
      expect(
        all.filter(({ result, delivered, wrong }) => result === 'failed' || delivered !== 1 || wrong !== 0),
      ).toEqual([]);
      const first = all.filter(({ result }) => result === 'first');
      expect(first.length).toBeGreaterThanOrEqual(least);
      if (Object.keys(line).length === 0)
        expect(Math.max(...first.map(({ tookMs }) => tookMs ?? Number.NaN))).toBeLessThanOrEqual(200);
    },
    120_000,
  );

  it('with a digit twice: said again, and never the alarm of another unit', async () => {
    const all = await handshakes({ protocol: 'tt92-stmf', random: seeded(4711), isDoubled: true }, 12);
    expect(all.map(({ result, delivered, wrong }) => [result, delivered, wrong])).toEqual(
      all.map(() => ['retried', 1, 0]),
    );
  }, 120_000);
});
