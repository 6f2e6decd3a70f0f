import { afterEach, beforeEach, expect, it } from 'vitest';
import { MediaQuality } from '#appliance/engine/media-quality.ts';
import { type RtcpPacket, readRtcp } from '#appliance/media/rtp/index.ts';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Phone } from '#test/support/phone.ts';

/* Effects of a bad line are reported: to the peer by RTCP, in the trace of the call, and in figures. */
let house: TestMediaService;
let quality: MediaQuality;
let net: TestMediaService['net'];
let app: TestMediaService['app'];

beforeEach(async () => {
  quality = new MediaQuality();
  house = await mediaService({ quality });
  ({ net, app } = house);
  house.service();
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

/** Every RTCP packet that a telephone got, and that it can read. */
const reportsTo = (phone: Phone): RtcpPacket[] =>
  phone.reports.flatMap((bytes) => {
    const read = readRtcp(bytes, bytes.length);
    return read.ok ? read.value : [];
  });

/** Every tenth packet of this telephone is lost, and of the others every second one comes 10 ms late. */
function badLine(from: Phone): void {
  const { network, inject } = house.appliance.media;
  const late: { readonly dueMs: number; readonly arrive: () => void }[] = [];
  let [count, nowMs, arriving] = [0, 0, false];
  network.carries = ({ fromHost: host, fromPort: port, toPort, bytes }) => {
    if (arriving || host !== from.host || (bytes[1] ?? 0) >= 192) return true;
    if (++count % 2 === 1) return true;
    const kept = bytes.slice();
    if (count % 10 > 0) late.push({ dueMs: nowMs + 10, arrive: () => inject({ host, port }, toPort, kept) });
    return false;
  };
  network.passes = (atMs) => {
    nowMs = atMs;
    arriving = true;
    while (late[0] !== undefined && late[0].dueMs <= nowMs) late.shift()?.arrive();
    arriving = false;
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

interface Report {
  readonly mos: number;
  readonly codec: string;
  readonly received: Readonly<Record<string, number>>;
  readonly sent: Readonly<Record<string, number>>;
}

/** Audio figures in the trace of the call, the worst first. */
function reported(): Report[] {
  const { traceId } = app.last('/sessionCompleted');
  const ended = house.appliance.trace(String(traceId)).filter(({ kind }) => kind === 'mediaEnded');
  return ended.map(({ detail }) => detail as unknown as Report).sort((a, b) => a.mos - b.mos);
}

it('loss and jitter stand in the reports to the peer and, with MOS, in the trace; the other side is clean', async () => {
  const anna = await net.device('anna', '192.0.2.20');
  const bo = await net.device('bo', '192.0.2.21');
  app.on('/newCall', { action: 'call', destAddr: 'bo' });
  app.on('/callEvent', { action: 'drop' });
  const talk = await anna.invite('ivr', net.pump);
  await house.takes(bo);
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  badLine(anna.audio);
  // Reports follow each other after 2.5 to 7.5 s.
  await net.after(25_000, 500);

  const toAnna = reportsTo(anna.audio).flatMap((each) =>
    each.kind === 'senderReport' || each.kind === 'receiverReport' ? [each] : [],
  );
  expect(toAnna.length).toBeGreaterThanOrEqual(3);
  const about = toAnna.at(-1)?.reports.find(({ ssrc }) => ssrc === anna.audio.ssrc);
  expect(about?.fractionLost).toBeGreaterThan(15);
  expect(about?.jitter).toBeGreaterThan(10);
  expect(toAnna.some(({ kind }) => kind === 'senderReport')).toBe(true);

  await house.hangsUp(anna, talk);
  await house.leaves(bo);
  await net.after(1_000);
  expect(reportsTo(anna.audio).at(-1)?.kind).toBe('bye');
  const [bad, good, ...more] = reported();
  expect(more).toEqual([]);
  expect(bad?.codec).toBe('PCMA');
  expect(bad?.received.lost).toBeGreaterThan(50);
  expect(bad?.received.jitterMs).toBeGreaterThan(1);
  expect(good?.received.lost).toBe(0);
  expect(good?.sent.packets).toBeGreaterThan(800);
  // E-model: a tenth lost makes an acceptable line a bad one.
  expect(good?.mos).toBeGreaterThan(4);
  expect(bad?.mos).toBeLessThan(Number(good?.mos) - 0.5);

  const measured = house.appliance
    .trace(String(app.last('/sessionCompleted').traceId))
    .filter(({ kind }) => kind === 'mediaMeasured')
    .map(({ detail }) => detail as { readonly lost: number[]; readonly received: number[] });
  expect(measured).toHaveLength(2);
  const lost = measured.map((windows) => windows.lost).sort((a, b) => sum(b) - sum(a));
  expect(sum(lost[0] ?? [])).toBeGreaterThan(50);
  expect(lost[0]?.every((count) => count > 0)).toBe(true);
  expect(sum(lost[1] ?? [])).toBe(0);
  expect(measured.every(({ received }) => received.length >= 5)).toBe(true);

  const { figures } = quality;
  const of = (name: string, more = '') => figures[`media_${name}{profile="ordinary"${more}}`];
  expect(of('legs_total', ',codec="PCMA"')).toBe(2);
  expect(of('packets_lost_total')).toBe(bad?.received.lost);
  expect(of('packets_sent_total')).toBe(Number(bad?.sent.packets) + Number(good?.sent.packets));
  // One leg without any loss, one with a tenth.
  expect(of('leg_loss_ratio_bucket', ',le="0"')).toBe(1);
  expect(of('leg_loss_ratio_bucket', ',le="0.05"')).toBe(1);
  expect(of('leg_loss_ratio_bucket', ',le="0.2"')).toBe(2);
  expect(of('leg_mos_sum')).toBeCloseTo(Number(bad?.mos) + Number(good?.mos), 5);
  expect(of('leg_jitter_seconds_bucket', ',le="0.001"')).toBe(1);
  // They name no party.
  expect(Object.keys(figures).join(' ')).not.toMatch(/anna|bo\b|192\.0|ivr/);
});

it('a telephone that falls silent is an RTP timeout, and one that never sends a silent leg', async () => {
  const anna = await net.device('anna', '192.0.2.20');
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', { getIVRCommandAfter: 3_600 });
  anna.audio.sending = false;
  await house.calls(anna);
  await net.after(11_000, 500);
  await house.leaves(anna);
  expect(quality.figures).toMatchObject({
    media_rtp_timeouts_total: 1,
    'media_silent_legs_total{profile="ordinary"}': 1,
  });
});

it('audio that we listen to ourselves is concealed, and the trace says how much', async () => {
  const anna = await net.device('anna', '192.0.2.20');
  app.on('/newCall', { action: 'ivr' });
  app.on('/getIvrCommand', { dtmf: { maxDigits: 4, firstDigitTimeout: 60_000 } });
  const talk = await house.calls(anna);
  badLine(anna.audio);
  await net.after(10_000, 500);
  await house.hangsUp(anna, talk);
  await net.after(1_000);
  const [bad, ...more] = reported();
  expect(more).toEqual([]);
  expect(bad?.received.lost).toBeGreaterThan(30);
  expect(bad?.received.concealedMs).toBeGreaterThan(600);
  expect(bad?.mos).toBeLessThan(3.7);
});
