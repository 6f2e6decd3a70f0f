import { dtmf, render } from '#appliance/media/dtmf/index.ts';
import { answered, testAppliance } from './appliance.ts';
import type { Datagram } from './media.ts';
import { telephones } from './telephone.ts';

/** What the way between a unit and the appliance does to its packets, and what happens to the appliance. */
export interface ToneLineSetting {
  /** Shares and moments come from here, in [0, 1). */
  readonly random: () => number;
  /** Share of packets lost, both ways. */
  readonly loss?: number;
  /** A packet of the unit is up to so much later than the first, ms. */
  readonly jitterMs?: number;
  /** Level of the louder tone, dBm0, and how much louder the high group is, dB. */
  readonly levelDbm0?: number;
  readonly twistDb?: number;
  /** The thread of the audio gets no time for up to so long, this often a second. */
  readonly stall?: { readonly mostMs: number; readonly perSecond: number };
}

export interface ToneHandshake {
  /** As the appliance counts it: taken after one request at most, or not. */
  readonly result: 'first' | 'retried' | 'failed';
  readonly told: number;
}

const DEVICE_WAIT_MS = 80;
const STEP_MS = 20;

/**
 * One alarm in tones of BS 8521 after the other, each in a call of its own, over the real engine on a fake clock: the same
 * random numbers give the same outcome on every machine.
 */
async function toneLine(setting: ToneLineSetting) {
  const { random, loss = 0, jitterMs = 0, levelDbm0, twistDb = 2, stall } = setting;
  const site = await testAppliance();
  const net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.bridge({ protocol: 'bs8521', name: 'Analogue', destinationMatch: '^analogue$' });
  const unit = await net.device('unit', '192.0.2.30');
  const late: { readonly dueMs: number; readonly datagram: Datagram }[] = [];
  let delivering = false;
  site.media.network.carries = (datagram) => {
    if (delivering) return true;
    if (random() < loss) return false;
    if (jitterMs === 0 || datagram.fromHost !== unit.host) return true;
    late.push({ dueMs: site.media.nowMs + random() * jitterMs, datagram });
    return false;
  };
  site.media.network.passes = (nowMs) => {
    delivering = true;
    for (const one of late.filter(({ dueMs }) => dueMs <= nowMs)) {
      late.splice(late.indexOf(one), 1);
      const { fromHost, fromPort, toPort, bytes } = one.datagram;
      site.media.inject({ host: fromHost, port: fromPort }, toPort, bytes);
    }
    delivering = false;
    if (stall !== undefined && random() < (stall.perSecond * 5) / 1_000)
      site.media.stall(random() * stall.mostMs);
  };

  const levels = levelDbm0 === undefined ? {} : { highDbm0: levelDbm0, lowDbm0: levelDbm0 - twistDb };
  const says = (text: string): void => {
    const made = dtmf(text, { onMs: 80, offMs: 80, ...levels });
    if (!made.ok) throw new Error(made.error.reason);
    unit.audio.say(render(made.value));
  };
  let number = 0;

  return {
    site,
    /** One call: asked, the unit says its string, repeats it while it is not acknowledged, four times. */
    async handshake(): Promise<ToneHandshake> {
      number++;
      const controller = String(10_000_000 + number);
      const before = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 })[0];
      const toldBefore = site.posted.length;
      unit.audio.digits.splice(0);
      const talk = await unit.invite('analogue', net.pump);
      unit.acknowledge(talk, unit.response(200));
      await net.pump();
      let saidAt = -1;
      let said = 0;
      for (let ms = 0; ms < 40_000; ms += STEP_MS) {
        await net.after(STEP_MS, STEP_MS);
        const heard = unit.audio.digits.splice(0);
        // Of 500 ms or more it is a request, shorter it is the acknowledge.
        if (heard.some(({ digit, ms: long }) => digit === 'B' && long < 400) && said > 0) break;
        const asked = heard.some(({ digit, ms: long }) => digit === 'B' && long >= 400);
        const silent = said > 0 && unit.audio.quiet && ms - saidAt > 6_000;
        if ((asked && unit.audio.quiet) || (silent && said < 4)) {
          await net.after(DEVICE_WAIT_MS, STEP_MS);
          says(`A0100${controller}00010100000000#`);
          said++;
          saidAt = ms;
        }
      }
      unit.inDialog(talk, 'BYE');
      await net.after(500);
      const after = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 })[0];
      const grew = (key: 'firstTry' | 'retried') => (after?.[key] ?? 0) > (before?.[key] ?? 0);
      return {
        result: grew('firstTry') ? 'first' : grew('retried') ? 'retried' : 'failed',
        told: site.posted.length - toldBefore,
      };
    },
    close: () => site.close(),
  };
}

/** How many of each. */
export async function measured(setting: ToneLineSetting, handshakes: number) {
  const line = await toneLine(setting);
  const results = { first: 0, retried: 0, failed: 0 };
  for (let count = 0; count < handshakes; count++) results[(await line.handshake()).result]++;
  await line.close();
  return results;
}
