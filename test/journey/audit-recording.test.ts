import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render, silence, tone } from '#appliance/media/dtmf/index.ts';
import { readWav } from '#appliance/media/recording/index.ts';
import { type AuditRecordingReady, auditRecordingReadySchema } from '#shared/contract/callback/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { PITCH, program } from '#test/appliance/io/speech/recogniser-program.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type TestSound, testSound } from '#test/support/sound.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let folder: string;
let threads: TestSound;
let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

const STRING = 'A01001234567800010100000000#';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-audit-'));
  threads = testSound({ folder });
  site = await testAppliance({ folder, sound: threads.adapters });
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  unit = await net.device('unit', '192.0.2.30');
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close(true);
  await threads.close();
  rmSync(folder, { recursive: true, force: true });
});

const bridge = (fields: Record<string, unknown> = {}) =>
  site.bridge({
    protocol: 'bs8521',
    destinationMatch: '^analogue$',
    defaultEmergencyDestination: 'sip:arc@care.example',
    auditRecording: true,
    ...fields,
  });

/** Time passes no faster than the recorder reads. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 400) {
    await net.after(Math.min(left, 400));
    await threads.caughtUp();
  }
}

/** The callbacks of this path, once there are any. */
async function posted(path: string) {
  await until(() => {
    site.runtime.advance();
    return site.posted.some(({ call }) => call.path === path);
  });
  return site.posted.filter(({ call }) => call.path === path);
}

async function called() {
  const talk = await unit.invite('analogue', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  return talk;
}

describe('an alarm whose bridge asks for an audit recording', () => {
  it('is recorded from the answer to the end, both sides and every digit', async () => {
    bridge();
    const arc = await net.device('arc', '192.0.2.31');
    const talk = await called();
    await pass(1_000);
    unit.audio.press(STRING);
    await pass(5_500);
    const invite = arc.request('INVITE');
    arc.hearPort(invite);
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await pass(600);
    arc.audio.press('5');
    await pass(800);
    unit.inDialog(talk, 'BYE');
    await pass(1_000);

    const [ready] = await posted('/auditRecordingReady');
    const body: AuditRecordingReady = auditRecordingReadySchema.parse(ready?.body);
    const [reported] = site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
    expect([body.sessionId, body.traceId]).toEqual([reported?.body.sessionId, reported?.body.traceId]);
    expect(body).toMatchObject({
      event: 'auditRecordingReady',
      domain: 'care.example',
      ivrServer: '192.0.2.10',
    });
    expect(body.vCon.parties).toMatchObject([
      { name: 'unit', type: 'device', sip: 'sip:unit@care.example' },
      { type: 'operator', sip: 'sip:arc@care.example' },
    ]);
    const [dialog] = body.vCon.dialog;
    if (dialog === undefined) throw new Error('no dialog');
    const history = (party: number, direction: string) =>
      dialog.party_history
        .filter((one) => one.party === party && one.direction === direction)
        .map(({ data }) => data.digit)
        .join('');
    expect(history(0, 'receive')).toBe(STRING);
    expect(history(0, 'send')).toMatch(/^BB/);
    expect(dialog.party_history[0]).toMatchObject({
      data: { digit: 'B', duration: 600, toneType: 'inaudio' },
    });
    // Whole, as document 2 has it: what comes beyond it is of the draft.
    const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const { dialog: _, ...vCon } = body.vCon;
    expect(vCon).toEqual({
      vcon: '0.4.0',
      uuid,
      created_at: expect.any(String),
      extensions: ['alarm_audit'],
      subject: `alarm session ${body.sessionId}`,
      parties: [
        { name: 'unit', uuid, type: 'device', sip: 'sip:unit@care.example' },
        { name: expect.any(String), uuid, type: 'operator', sip: 'sip:arc@care.example' },
      ],
    });
    expect(dialog).toEqual({
      type: 'recording',
      start: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      uuid: expect.stringMatching(/./),
      parties: [0, 1],
      originator: 0,
      party_history: expect.any(Array),
      label: 'audit',
      content_hash: expect.any(String),
      duration: expect.any(Number),
      mediatype: 'audio/x-wav',
      fileName: expect.any(String),
      filename: dialog.fileName,
      url: expect.any(String),
    });
    for (const digit of dialog.party_history)
      expect(digit).toEqual({
        event: 'dtmf',
        party: expect.any(Number),
        direction: expect.stringMatching(/^(send|receive)$/),
        data: {
          digit: expect.stringMatching(/^[0-9A-D*#]$/),
          duration: expect.any(Number),
          toneType: 'inaudio',
        },
        time: expect.stringMatching(/Z$/),
      });
    expect(body.httpTransactionId).toEqual(uuid);
    const times = dialog.party_history.map(({ time }) => Date.parse(time));
    expect(times.every((time) => time >= Date.parse(dialog.start))).toBe(true);

    const file = readFileSync(join(threads.recordings, dialog.fileName));
    expect(dialog.content_hash).toBe(`sha512-${createHash('sha512').update(file).digest('base64url')}`);
    expect(dialog.url).toBe(
      `https://box-1.example:8443/mediaservice/care.example/promptfile/${dialog.fileName}`,
    );
    const wav = readWav(file);
    if (!wav.ok) throw new Error(wav.error.reason);
    expect(wav.value.channels).toHaveLength(2);
    expect(dialog.duration).toBeGreaterThan(7);
  });

  it('has a recording of its own for each unit of a scheme in the call', async () => {
    bridge();
    site.answerBy(() => answered({ action: 'drop' }));
    const talk = await called();
    await pass(1_000);
    /** The answer of the scheme to each thing it hears; nothing waits in the end. */
    const answers: [string, string][] = [
      ['B', ''],
      ['A00042#', 'A004201907900#'],
      ['A9', 'A000001#'],
      ['A10000#', 'A004301907900#'],
      ['A00043#', 'A004301907900#'],
      ['A9', 'A000000#'],
      ['AD', 'B'],
    ];
    unit.audio.digits.splice(0);
    unit.audio.press('A11001234567800420190790000#');
    let last = '';
    for (let waited = 0; answers.length > 0 && waited < 160; waited++) {
      await pass(400);
      last += unit.audio.digits
        .splice(0)
        .map(({ digit }) => digit)
        .join('');
      const [hears, says] = answers[0] ?? ['', ''];
      if (!last.includes(hears)) continue;
      last = '';
      answers.shift();
      if (says !== '') unit.audio.press(says);
    }
    expect(answers).toEqual([]);
    await pass(1_000);
    unit.inDialog(talk, 'BYE');
    await pass(1_000);
    await until(() => {
      site.runtime.advance();
      return site.posted.filter(({ call }) => call.path === '/auditRecordingReady').length === 2;
    });
    const ready = (await posted('/auditRecordingReady')).map(({ body }) =>
      auditRecordingReadySchema.parse(body),
    );
    const events = site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
    expect(ready.map(({ sessionId, traceId }) => [sessionId, traceId])).toEqual(
      events.map(({ body }) => [body.sessionId, body.traceId]),
    );
    const [first, second] = ready.map(({ vCon }) => vCon.dialog[0]);
    expect(first?.fileName).not.toBe(second?.fileName);
    const saidBy = (dialog: typeof first) =>
      (dialog?.party_history ?? [])
        .filter(({ party, direction }) => party === 0 && direction === 'receive')
        .map(({ data }) => data.digit)
        .join('');
    expect(saidBy(first)).toContain('A11001234567800420190790000#');
    expect(saidBy(second)).toBe('A004301907900#A000000#B');
    const endMs = Date.parse(first?.start ?? '') + Number(first?.duration) * 1_000;
    expect(Math.abs(endMs - Date.parse(second?.start ?? ''))).toBeLessThan(200);
  });

  it('is recorded even when it never had people on the line', async () => {
    bridge({ defaultEmergencyDestination: undefined });
    const talk = await called();
    await pass(1_000);
    unit.audio.press(STRING);
    await pass(4_000);
    unit.inDialog(talk, 'BYE');
    await pass(1_000);
    const [ready] = await posted('/auditRecordingReady');
    expect(ready?.body).toMatchObject({ event: 'auditRecordingReady' });
  });
});

it('that is transcribed has what was said in its vCon, and its record says so', async () => {
  await site.close(true);
  await threads.close();
  threads = testSound({ folder, recognisers: [program(PITCH, { transcribes: true })] });
  site = await testAppliance({ folder, sound: threads.adapters });
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  unit = await net.device('unit', '192.0.2.30');
  bridge();
  const arc = await net.device('arc', '192.0.2.31');
  const talk = await called();
  await pass(1_000);
  unit.audio.press(STRING);
  await pass(5_500);
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.pump();
  arc.request('ACK');
  await pass(1_000);
  arc.audio.say(render([tone(300, 600, -15), silence(400)]));
  await pass(2_000);
  unit.inDialog(talk, 'BYE');
  await pass(1_000);
  const [ready] = await posted('/auditRecordingReady');
  const { vCon, traceId } = auditRecordingReadySchema.parse(ready?.body);
  const [analysis] = vCon.analysis ?? [];
  expect(analysis).toMatchObject({ type: 'transcript', dialog: 0, vendor: 'carillon', product: 'own' });
  const { lines } = JSON.parse(analysis?.body ?? '') as { readonly lines: { party: number; text: string }[] };
  expect(lines.filter(({ party }) => party === 1).map(({ text }) => text)).toEqual(['low']);
  const [recorded] = (await site.trace(traceId)).filter(({ kind }) => kind === 'recorded');
  expect(recorded?.detail).toMatchObject({ transcribed: true });
});

it('digits that come as events are kept as such', async () => {
  bridge();
  const talk = await called();
  await pass(1_000);
  unit.audio.press(STRING, { by: 'rfc4733' });
  await pass(5_500);
  unit.inDialog(talk, 'BYE');
  await pass(1_000);
  const [ready] = await posted('/auditRecordingReady');
  const [dialog] = auditRecordingReadySchema.parse(ready?.body).vCon.dialog;
  const said = dialog?.party_history.filter(({ direction }) => direction === 'receive') ?? [];
  expect(said.map(({ data }) => data.digit).join('')).toBe(STRING);
  expect(new Set(said.map(({ data }) => data.toneType))).toEqual(new Set(['2833']));
});

it('a bridge that does not ask is not recorded', async () => {
  bridge({ auditRecording: false });
  const talk = await called();
  await pass(1_000);
  unit.audio.press(STRING);
  await pass(5_000);
  unit.inDialog(talk, 'BYE');
  await pass(2_000);
  expect(threads.events).toEqual([]);
  expect(site.posted.some(({ call }) => call.path === '/auditRecordingReady')).toBe(false);
});

it('an appliance that cannot record says so', async () => {
  const mute = await testAppliance();
  const others = telephones(mute);
  mute.notify('https://app.example/alarms');
  mute.bridge({ protocol: 'bs8521', destinationMatch: '^analogue$', auditRecording: true });
  const device = await others.device('unit', '192.0.2.30');
  const talk = await device.invite('analogue', others.pump);
  device.acknowledge(talk, device.response(200));
  await others.pump();
  const alarm = mute.posted.find(({ body }) => body.error === 'auditRecordingFailed');
  expect(alarm?.body).toMatchObject({ type: 'serviceAlarm', alarmBridgeId: 'bridge-1' });
  await mute.close();
});
