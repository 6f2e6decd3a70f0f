import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReplyId } from '#appliance/delivery/callback/index.ts';
import { startAlarmStream } from '#appliance/operation/alarm-stream.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { streamProgram } from '#test/appliance/call/media-service/stream-program.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import {
  AT_CENTRE,
  centreBridge,
  centreKnows,
  LOGIN,
  type Pair,
  send,
  sendingPair,
  speaking,
  withPeople,
} from '#test/support/sending.ts';
import { testSound } from '#test/support/sound.ts';
import { telephones } from '#test/support/telephone.ts';
import { RECOGNISERS, REPORTED_MS, STARTED_WITHIN_MS, UNREACHED } from './matrix-call.ts';

/* Alarms on the fake network, of which the records together have every field that their kind can have. */

/** C 0, D 1 (duplex), controller 12345678, unit 0001, event 011 (second button); check digits are not looked at. */
const STRING = 'A01001234567800010110000000#';
/** Longer than a record takes. */
const LONG_REASON = 'the line is cut; '.repeat(30);
const MESSAGE =
  '<mrq><ref>W1</ref><cid>12345678</cid><did>0042</did><dty>0035</dty><stc>0010</stc><lco>022</lco></mrq>';

type Site = Awaited<ReturnType<typeof testAppliance>>;

/** An alarm in tones over a trunk that is recorded, heard by a program and joined with people; and one by message. */
export async function alarmRecords(): Promise<SessionRecord[]> {
  return [...(await inTones()), ...(await byMessage())];
}

async function inTones(): Promise<SessionRecord[]> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-matrix-'));
  const threads = testSound({ folder, allowPrivate: ['127.0.0.0/8'], recognisers: RECOGNISERS });
  const site = await testAppliance({ folder, sound: threads.adapters });
  const net = telephones(site);
  const program = await streamProgram();
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 400) {
      await net.after(Math.min(left, 400), 100);
      await threads.caughtUp();
    }
  };
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  net.trunk();
  site.bridge({
    ...{ protocol: 'bs8521', name: 'Analogue', destinationMatch: '^analogue$', customerSiteId: 'house-7' },
    ...{ defaultEmergencyDestination: 'sip:arc@care.example', auditRecording: true },
  });
  site.device({ deviceId: 'house-7:12345678:0001', deviceType: 'alarmbridgeAlarmUnit' });
  const unit = net.stranger('+46701', '198.51.100.1');
  const arc = await net.device('arc', '192.0.2.31');
  unit.audio.answersReports = true;
  const talk = await unit.invite('analogue', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  await pass(800);
  unit.audio.press(STRING);
  await pass(5_000);
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.pump();
  arc.request('ACK');
  await pass(400);
  await receivedBy(site, program.url);
  await until(() => {
    void net.after(20, 20);
    return program.of('start').length === 1;
  }, STARTED_WITHIN_MS);
  await pass(REPORTED_MS);
  arc.inDialog(arc.answeredTalk(invite), 'BYE');
  await pass(800);
  unit.audio.press('B');
  await pass(400);
  unit.inDialog(talk, 'BYE');
  await pass(2_000);
  const records = await site.recorded('alarm');
  await site.close(true);
  await threads.close();
  await program.close();
  rmSync(folder, { recursive: true, force: true });
  return records;
}

/** A program hears the call of the alarm. */
async function receivedBy(site: Site, url: string): Promise<void> {
  const { body } = site.posted.find(({ call }) => call.path === '/newAlarmbridgeEvent') ?? {};
  const { replyId, sessionId } = body ?? {};
  const claims = { domain: site.domain, wallMs: site.clock.wallMs(), maxAgeS: 604_800 };
  const ports = {
    hostId: 'box-1',
    alarmStreams: site.runtime.alarmStreams,
    readReply: (handle: string) =>
      readReplyId(handle, claims, (input, signature) =>
        createHash('sha256').update(input).digest().equals(signature),
      ),
  };
  const streamTarget = { url, framing: 'mediaStream' };
  const done = await startAlarmStream(ports, { replyId, sessionId, streamTarget });
  if (!done.ok) throw new Error(JSON.stringify(done.error));
}

/** The unit is provisioned nowhere, its application is away, and its host ends in the middle. */
async function byMessage(): Promise<SessionRecord[]> {
  const begins = async (folder?: string, records?: Site['records']): Promise<Site> => {
    const known = folder === undefined || records === undefined ? {} : { folder, records };
    const site = await testAppliance(known);
    site.bridge({ defaultEmergencyDestination: 'sip:arc@care.example' });
    site.answerBy(() => ({ ...UNREACHED, reason: LONG_REASON }));
    return site;
  };
  const first = await begins();
  first.request('MESSAGE', '12345678', { body: MESSAGE });
  await first.quiet();
  await first.after(3_000);
  await first.close(true);
  const site = await begins(first.folder, first.records);
  site.setWallBy(10_000);
  site.recorder.recall();
  site.runtime.restore();
  site.recorder.interrupted((sessionId) => site.journal.session(sessionId)?.closed === true);
  await site.after(400_000);
  const records = await site.recorded('alarm');
  await site.close();
  return records;
}

/** An event that is taken and spoken about, one of a device that is sent on, one to a callback that fails, one over a restart. */
export async function alarmSentRecords(): Promise<SessionRecord[]> {
  return [
    ...(await spoken()),
    ...(await sentOn()),
    ...(await posted(() => answered({}))),
    ...(await posted(() => ({ ...UNREACHED, reason: LONG_REASON }))),
    ...(await byTrunk()),
    ...(await restarted()),
  ];
}

async function ended(made: Pair): Promise<SessionRecord[]> {
  await made.after(2_000);
  const records = made.sender.records.all().filter(({ kind }) => kind === 'alarmSent');
  await made.close();
  return records;
}

async function spoken(): Promise<SessionRecord[]> {
  const body = { alarmEvent: { deviceComponent: 'button2' } };
  const { made, arc, arcTalk, unit } = await speaking(await withPeople('scaip'), body);
  await made.after(REPORTED_MS);
  arc.inDialog(arcTalk, 'BYE');
  await made.until(() => unit.has('BYE'), 30_000);
  unit.respond(unit.request('BYE'), 200);
  return await ended(made);
}

async function sentOn(): Promise<SessionRecord[]> {
  const made = await sendingPair({ protocol: 'scaip', destAddr: AT_CENTRE, ...LOGIN });
  centreKnows(made);
  centreBridge(made, 'scaip');
  made.sender.bridge({
    ...{ id: 'devices', protocol: 'scaip', name: 'Devices', destinationMatch: '^devices$' },
    ...{ alarmEventMapperId: 'mapper-1', customerSiteId: 'house-7' },
  });
  made.sender.device({ deviceId: 'house-7:12345678:0042' });
  made.sender.request('MESSAGE', 'scaip-0001', { uri: 'sip:devices@care.example', body: MESSAGE });
  return await ended(made);
}

async function posted(answer: Parameters<Site['answerBy']>[0]): Promise<SessionRecord[]> {
  const made = await sendingPair({ protocol: 'callback', partnerUrl: 'https://partner.example/in' });
  made.sender.answerBy(answer);
  await send(made);
  await made.after(200_000);
  return await ended(made);
}

/** The receiver is called over a trunk, and does not answer. */
async function byTrunk(): Promise<SessionRecord[]> {
  const made = await sendingPair({ protocol: 'bs8521', destAddr: '+46855510' });
  telephones(made.sender).trunk();
  await send(made);
  await made.after(60_000);
  return await ended(made);
}

/** The receiver cannot be reached until the host has begun again. */
async function restarted(): Promise<SessionRecord[]> {
  const target = { protocol: 'scaip', destAddr: AT_CENTRE };
  const first = await sendingPair(target);
  first.lose(() => true);
  await send(first);
  await first.after(3_000);
  const { folder, records } = first.sender;
  await first.sender.close(true);
  const made = await sendingPair(target, { pair: { sender: { folder, records } } });
  centreBridge(made, 'scaip');
  made.sender.setWallBy(10_000);
  made.sender.recorder.recall();
  made.sender.runtime.restore();
  made.sender.recorder.interrupted((sessionId) => made.sender.journal.session(sessionId)?.closed === true);
  await made.after(20_000);
  await first.centre.close();
  return await ended(made);
}
