import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import type { LegStream, MediaEvent } from '#appliance/media/control/index.ts';
import { tone } from '#appliance/media/dtmf/index.ts';
import { describeTransport, readTransport, type WebRtcEvent } from '#appliance/media/webrtc/index.ts';
import { openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { acceptAnswer, createOffer, formatSdp, parseSdp } from '#appliance/sip/sdp/index.ts';
import { freePorts } from '#test/support/site-port.ts';
import { Ear } from './support/ear.ts';
import { type Janus, startJanus } from './support/janus.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';

/*
 *   our WebRTC leg ─ ICE, DTLS-SRTP ─▶ Janus ─ SIP, RTP ─▶ appliance ─▶ our telephone
 *       says 1,500 Hz                                                      says 440 Hz
 */
const [WEB_HZ, PHONE_HZ] = [1_500, 440];
const PASSWORD = 'correct-horse';
const WAIT = { timeout: 40_000 };
const LEG = 'web';

let site: PeerSite;
let janus: Janus;
const ends: (() => unknown)[] = [];

const made = <T>(result: { ok: true; value: T } | { ok: false; error: { reason: string } }): T => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-janus-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  site = await startPeerSite({ devices: ['gateway', 'ours'].map((name) => phone(name, PASSWORD)) });
  ends.push(() => site.close());
  const [port = 0] = await freePorts('127.0.0.1', 1);
  janus = await startJanus(folder, port);
  ends.push(() => janus.stop());
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

it('Janus registers, and takes a WebRTC leg of ours through to a telephone: both hear the other', async () => {
  const to = `127.0.0.1:${site.appliance.ready.udp}`;
  const telephone = await openTelephone({
    to,
    transport: 'udp',
    domain: DOMAIN,
    user: 'ours',
    password: PASSWORD,
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  ends.push(() => telephone.close());
  expect(await telephone.telephone.register(600)).toMatchObject({ ok: true });
  const ear = new Ear(telephone, WEB_HZ, PHONE_HZ);
  telephone.telephone.takeCallsBy(() => ear);

  const result = (event: string) =>
    janus.until(
      ({ plugindata }) => (plugindata?.data.result as { event?: string } | undefined)?.event === event,
    );
  janus.send({
    request: 'register',
    username: `sip:gateway@${DOMAIN}`,
    authuser: 'gateway',
    secret: PASSWORD,
    proxy: `sip:${to}`,
    outbound_proxy: `sip:${to}`,
  });
  await result('registered');

  const mediaEvents: MediaEvent[] = [];
  const events: WebRtcEvent[] = [];
  const media = await openMedia({ ports: { from: 32_100, to: 32_199 }, workers: 1, log: () => undefined });
  media.events.add((event) => mediaEvents.push(event));
  ends.push(() => media.close());
  const leg = made(await media.openLeg({ leg: LEG, profile: 'ordinary', family: 4 }));
  const voiceTo = (remote: LegStream['remote'], payloadType = 8, codec: 'PCMA' | 'PCMU' = 'PCMA') => ({
    remote,
    rtcpMux: true,
    direction: 'sendrecv' as const,
    send: { payloadType, codec },
    receive: [{ payloadType, codec }],
    latching: false,
  });
  const webrtc = openWebRtc({ extraHosts: ['127.0.0.1'] });
  webrtc.events.add((event) => events.push(event));
  ends.push(() => webrtc.end());
  const { local, bridge } = made(await webrtc.open({ id: LEG, leg: { host: '127.0.0.1', port: leg.port } }));
  const [first] = local.candidates;
  const address = { family: 4, host: first?.host ?? '127.0.0.1' } as const;
  const offer = createOffer({
    origin: { username: '-', sessionId: '1', address },
    srtp: 'never',
    secureSignalling: true,
    newKey: () => new Uint8Array(30),
    legs: [
      {
        address,
        port: first?.port ?? 9,
        codecs: ['PCMA', 'PCMU'],
        direction: 'sendrecv',
        // Janus hears a stream by the SSRC of its description alone.
        transport: { ...describeTransport(local), source: `${leg.source.ssrc} cname:${leg.source.cname}` },
      },
    ],
  });
  janus.send({ request: 'call', uri: `sip:ours@${DOMAIN}` }, { type: 'offer', sdp: formatSdp(offer) });
  const { jsep } = await janus.until((each) => each.jsep?.type === 'answer');
  const agreed = made(acceptAnswer(offer, made(parseSdp(jsep?.sdp ?? ''))));
  const [stream] = agreed.streams;
  if (!stream?.transport) throw new Error(`Janus described no WebRTC stream: ${jsep?.sdp}`);
  made(await webrtc.accept(LEG, made(readTransport(stream.transport))));
  const codec = stream.send.name === 'PCMU' ? 'PCMU' : 'PCMA';
  made(
    await media.updateLeg(LEG, {
      ...voiceTo({ ...bridge, rtcpPort: bridge.port }, stream.send.payloadType, codec),
      ...(stream.telephoneEvent && { telephoneEvent: stream.telephoneEvent }),
    }),
  );
  await expect.poll(() => events, WAIT).toEqual([{ kind: 'connected', id: LEG }]);
  await result('accepted');

  made(await media.listen(LEG, { profile: 'ivr', digits: true, tones: [{ hz: PHONE_HZ }] }));
  const ours = { kind: 'tone', segments: [tone(WEB_HZ, 60_000)] } as const;
  made(await media.play(LEG, 'tone', { phrases: [ours], over: 'instead' }));
  await expect.poll(() => mediaEvents.some((event) => event.kind === 'tone'), WAIT).toBe(true);
  await expect.poll(() => ear.hears, WAIT).toBe(true);

  // Digits by event, both ways through both translations.
  made(await media.stop(LEG, 'tone'));
  made(await media.sendDigits(LEG, 'digits', { digits: '7', mode: 'rfc4733', onMs: 200, offMs: 80 }));
  await expect.poll(() => ear.digits, WAIT).toEqual([['7', 'rfc4733']]);

  ear.line.hangUp();
  await result('hangup');
});
