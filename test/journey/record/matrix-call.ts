import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { streamProgram } from '#test/appliance/call/media-service/stream-program.ts';
import { wavOf } from '#test/appliance/io/prompt/sound.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { PITCH, program as recogniser } from '#test/appliance/io/speech/recogniser-program.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { twoTelephones } from '#test/support/media-house.ts';
import { multipart, recordingHouse } from '#test/support/recording-house.ts';
import { APP_HOST, APP_PORT, remoteHouse } from '#test/support/remote-house.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';
import { telephones } from '#test/support/telephone.ts';

/* Calls of every kind on the fake network, of which the records together have every field that their kind can have. */

/** Long enough for a report of RTCP each way. */
export const REPORTED_MS = 16_000;
/** A program of its own starts within this on a busy machine. */
export const STARTED_WITHIN_MS = 120_000;
/** A destination and a rule that are longer than a record takes. */
const TOO_LONG = 'x'.repeat(300);
const LONG_RULE = (name: string): string => `^(${name}|${TOO_LONG})$`;
/** Transcribes recordings. */
export const RECOGNISERS = [recogniser(PITCH, { transcribes: true })];
/** The application cannot be reached. */
export const UNREACHED = { kind: 'failed', code: 'unreachable', reason: 'connect ECONNREFUSED' } as const;

/** The called one answers, and its audio reports back. */
async function answers(phone: Telephone, pump: () => Promise<void>): Promise<Talk> {
  const invite = phone.request('INVITE');
  phone.audio.answersReports = true;
  phone.hearPort(invite);
  phone.respond(invite, 200, { sdp: phone.describe() });
  await pump();
  return phone.answeredTalk(invite);
}

async function hangsUp(phone: Telephone, talk: Talk, other: Telephone, pump: () => Promise<void>) {
  phone.inDialog(talk, 'BYE');
  await pump();
  other.respond(other.request('BYE'), 200);
  await pump();
}

/** A call out by a trunk, one to an address that is too long, and one to an alarm bridge that is refused. */
export async function callRecords(): Promise<SessionRecord[]> {
  const site = await testAppliance();
  const net = telephones(site);
  const { pump } = net;
  net.trunk();
  const anna = await net.device('anna', '192.0.2.20');
  const carrier = net.stranger('carrier', '198.51.100.1');
  const talk = await anna.invite('+46855510', pump);
  await answers(carrier, pump);
  anna.acknowledge(talk, anna.response(200));
  await net.after(REPORTED_MS);
  await hangsUp(anna, talk, carrier, pump);

  await anna.invite(TOO_LONG, pump);

  site.bridge({ protocol: 'bs8521', name: 'Analogue', destinationMatch: '^analogue$' });
  // No leg is free: the call is refused before a tone is heard.
  const { media } = site.media;
  const { openLeg } = media;
  media.openLeg = () => Promise.resolve({ ok: false, error: { code: 'Overload', reason: 'full' } });
  await anna.invite('analogue', pump);
  anna.response(503);
  media.openLeg = openLeg;
  await net.after(40_000, 4_000);
  const records = await site.recorded('call');
  await site.close();
  return records;
}

/** A caller of a media service hears a program, is recorded and connected over a trunk; then the application is away. */
export async function mediaServiceRecords(): Promise<SessionRecord[]> {
  const house = await twoTelephones({ recognisers: RECOGNISERS });
  const { net, app, anna, appliance } = house;
  const program = await streamProgram();
  net.trunk();
  const carrier = net.stranger('carrier', '198.51.100.1');
  house.service({ destinationMatch: LONG_RULE('ivr') });
  app.on('/newCall', { action: 'ivr' });
  const menu = join(house.folder, 'menu.wav');
  writeFileSync(menu, wavOf(render([tone(600, 200)]), 8_000));
  house.threads.files.set('menu.wav', menu);
  app.on(
    '/getIvrCommand',
    { phrases: [{ format: 'file', fileName: 'menu.wav' }] },
    { stream: { url: program.url, framing: 'mediaStream' } },
    { hangup: true },
  );
  const dialled = { destAddr: '+46855510', callRecording: true, recordingFileName: 'two.wav' };
  app.on('/callEvent', { action: 'call', ...dialled }, { action: 'drop' });
  anna.audio.answersReports = true;
  const talk = await house.calls(anna);
  await until(() => {
    void net.after(20, 20);
    return program.of('start').length === 1;
  }, STARTED_WITHIN_MS);
  program.hangUp();
  await until(() => {
    void net.after(20, 20);
    return carrier.has('INVITE');
  }, STARTED_WITHIN_MS);
  await answers(carrier, net.pump);
  for (let passed = 0; passed < REPORTED_MS; passed += 400) {
    await net.after(400, 100);
    await house.threads.caughtUp();
  }
  await hangsUp(anna, talk, carrier, net.pump);
  await net.after(2_000);

  appliance.answerBy(() => UNREACHED);
  await anna.invite('ivr', net.pump);
  await net.after(40_000, 4_000);
  const records = await appliance.recorded('mediaService');
  await house.close(() => undefined);
  await program.close();
  return records;
}

/** A call of a device to a cloud SIP user agent, one that its application places over a trunk, and one without application. */
export async function cloudUserAgentRecords(): Promise<SessionRecord[]> {
  const house = await remoteHouse();
  const { net, app, appliance } = house;
  net.trunk();
  house.agent({ destinationMatch: LONG_RULE('door-1') });
  const anna = await net.device('anna', '192.0.2.20');
  const end = { codec: 'PCMA', receiveIp: APP_HOST, receivePort: APP_PORT };
  const ear = house.ear();
  const talk = await anna.invite('door-1', net.pump);
  const { replyId, remoteRtpPort } = app.last('/newRemoteCall');
  ear.talkTo(Number(remoteRtpPort));
  anna.audio.answersReports = true;
  await house.operate('answerremotecall', { replyId, ...end });
  anna.acknowledge(talk, anna.response(200));
  await net.after(REPORTED_MS);
  anna.inDialog(talk, 'BYE');
  await net.pump();

  const carrier = net.stranger('carrier', '198.51.100.1');
  await house.operate('placeremotecall', { ...end, destinationUri: '+46855510', sourceUser: 'door-1' });
  const placed = await answers(carrier, net.pump);
  await net.after(500);
  carrier.inDialog(placed, 'BYE');
  await net.pump();

  appliance.answerBy(() => UNREACHED);
  await anna.invite('door-1', net.pump);
  await net.after(2_000);
  const records = await appliance.recorded('cloudUserAgent');
  await house.close(() => undefined);
  return records;
}

/** A recording session of a device that is recorded and heard by a program, and one over a trunk without application. */
export async function recordingRecords(): Promise<SessionRecord[]> {
  const house = await recordingHouse({}, { recognisers: RECOGNISERS });
  const { appliance, client, net } = house;
  const program = await streamProgram();
  const startStream = { url: program.url };
  house.application.decision = { startFileRecording: {}, startStream };
  client.audio.answersReports = true;
  const talk = await house.opened();
  await until(() => {
    void net.after(20, 20);
    return house.events().includes('STREAMSTARTED');
  }, STARTED_WITHIN_MS);
  await house.pass(REPORTED_MS);
  await house.hangsUp(talk);
  await house.received('/sessionCompleted');

  net.trunk();
  const carrier = net.stranger('+46701', '198.51.100.1');
  appliance.answerBy(() => UNREACHED);
  const service = appliance.tenant.recordingServicesById.get('rec-1');
  if (service === undefined) throw new Error('there is no recording service');
  appliance.tenant.put('callrecording', 'rec-1', { ...service, destinationMatch: LONG_RULE('rec') });
  await carrier.invite('rec', net.pump, {
    sdp: multipart('<recording'),
    contentType: 'multipart/mixed;boundary=b',
    headers: [['Require', 'siprec']],
  });
  await net.after(2_000);
  const records = await appliance.recorded('recording');
  await house.close();
  await program.close();
  return records;
}
