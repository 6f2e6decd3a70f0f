import { encodePacket } from '#appliance/alarm/protocol/lift/index.ts';
import { dtmf, render, stmf, tone } from '#appliance/media/dtmf/index.ts';
import { seededBytes } from '#test/effect/effect-log.ts';
import { answered, testAppliance } from '../appliance.ts';
import type { Datagram } from '../media.ts';
import type { PhoneDigit } from '../phone.ts';
import { telephones } from '../telephone.ts';

/** Faults of the way between a unit and the appliance, and of the appliance. */
export interface ToneLineSetting {
  /** Shares and moments come from here, in [0, 1). */
  readonly random: () => number;
  /** Protocol of the unit; bs8521 without it. */
  readonly protocol?: keyof typeof UNITS;
  /** Share of packets lost, both ways. */
  readonly loss?: number;
  /** A packet of the unit is up to so much later than the first, ms. */
  readonly jitterMs?: number;
  /** Level of the louder tone, dBm0, and how much louder the high group is, dB. */
  readonly levelDbm0?: number;
  readonly twistDb?: number;
  /** The thread of the audio gets no time for up to so long, this often a second. */
  readonly stall?: { readonly mostMs: number; readonly perSecond: number };
  /** The first string of the unit in a call has one of its digits twice. */
  readonly isDoubled?: boolean;
  /** Something is as loud as its digits for so long behind the last one, ms, so that its pause cannot be heard. */
  readonly loudBehindMs?: number;
  /** Noise of the room under its digits and for half a second behind them: so far below a digit, dB. */
  readonly noiseDb?: number;
}

export interface ToneHandshake {
  /** As the appliance counts it: taken after one request at most, or not. */
  readonly result: 'first' | 'retried' | 'failed';
  /** Alarms that were delivered, and those of them that name another unit. */
  readonly delivered: number;
  readonly wrong: number;
  /** From the end of the last digit to the first sound of the acknowledge, ms, where there was one. */
  readonly tookMs: number | undefined;
}

interface Unit {
  /** String that it says in its call of this number. */
  readonly string: (call: number) => string;
  readonly controller: (call: number) => string;
  /** Tones that it takes for a request, and for an acknowledge. */
  readonly isAsked: (digits: readonly PhoneDigit[]) => boolean;
  readonly isTaken: (digits: readonly PhoneDigit[]) => boolean;
  readonly onMs: number;
  /** Says its string again so long after it, when it has heard neither. */
  readonly againMs: number;
  /** It is asked, and answers, in sequential tones (TT92); its `onMs` is that of half a digit. */
  readonly isStmf?: boolean;
}

const ends = (text: string) => (digits: readonly PhoneDigit[]) =>
  digits
    .map(({ digit }) => digit)
    .join('')
    .endsWith(text);

const tt = (request: string, acknowledge: string): Unit => ({
  string: (call) => `D#1017${4_000_000 + call}*****0000${String(call % 100).padStart(2, '0')}`,
  controller: (call) => String(4_000_000 + call),
  isAsked: ends(request),
  isTaken: ends(acknowledge),
  onMs: 80,
  againMs: 2_000,
});

const UNITS = {
  bs8521: {
    string: (call) => `A0100${10_000_000 + call}00010100000000#`,
    controller: (call) => String(10_000_000 + call),
    // A tone of 500 ms or more is a request, a shorter one is the acknowledge.
    isAsked: (digits) => digits.some(({ digit, ms }) => digit === 'B' && ms >= 400),
    isTaken: (digits) => digits.some(({ digit, ms }) => digit === 'B' && ms < 400),
    onMs: 80,
    againMs: 1_700,
  },
  tt92: tt('0#', 'B0'),
  'tt92-stmf': { ...tt('0#', 'B0'), isStmf: true },
  ttnew: tt('DB', 'DB'),
  p100: {
    string: (call) => packet(String(10_000_000 + call)),
    controller: (call) => String(10_000_000 + call),
    isAsked: (digits) => digits.some(({ digit }) => digit === 'D' || digit === 'C'),
    isTaken: ends('A'),
    onMs: 100,
    againMs: 3_000,
  },
} satisfies Readonly<Record<string, Unit>>;

function packet(data: string): string {
  const made = encodePacket('1', data);
  if (!made.ok) throw new Error(made.error.reason);
  return made.value;
}

/** A-law: exponents from 3 on are a sound. */
export const isLoud = (payload: Uint8Array): boolean =>
  payload.some((sample) => ((sample ^ 0x55) & 0x70) >= 0x30);

/** No digit has this in it. */
const LOUD_HZ = 500;
const LOUD_DBM0 = -12;
/** Length of the noise behind a string, samples. */
const NOISE_BEHIND = 4_000;

/** The same in a room with white noise, `snrDb` below the digits. */
function noisy(said: Int16Array, snrDb: number, random: () => number): Int16Array {
  const sounds = said.filter((sample) => sample !== 0);
  const rms = Math.sqrt(sounds.reduce((sum, sample) => sum + sample * sample, 0) / sounds.length);
  // Even shares of [-a, a) have the power a²/3.
  const most = rms * 10 ** (-snrDb / 20) * Math.sqrt(3);
  return Int16Array.from({ length: said.length + NOISE_BEHIND }, (_, at) =>
    Math.max(-32_768, Math.min(32_767, (said[at] ?? 0) + (2 * random() - 1) * most)),
  );
}

const DEVICE_WAIT_MS = 80;
const STEP_MS = 20;
const MOST_SAID = 4;

/**
 * One alarm in tones after the other, each in a call of its own, over the real engine on a fake clock: the same random numbers
 * give the same outcome on every machine.
 */
async function toneLine(setting: ToneLineSetting) {
  const { random, protocol = 'bs8521', loss = 0, jitterMs = 0, levelDbm0, twistDb = 2, stall } = setting;
  const speaks: Unit = UNITS[protocol];
  // The moments of its reports are random too (RFC 3550, section 6.2), and each datagram takes a share of `random`.
  const site = await testAppliance({ random: seededBytes(String(random())) });
  const net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.bridge({
    protocol: speaks.isStmf === true ? 'tt92' : protocol,
    name: 'Analogue',
    destinationMatch: '^analogue$',
    ...(speaks.isStmf === true && { toneSettings: { dataRequestType: 'combined' } }),
  });
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
  const passes = (nowMs: number): void => {
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
  // A line without jitter and stalls has nothing under way.
  if (jitterMs > 0 || stall !== undefined) site.media.network.passes = passes;

  const levels = levelDbm0 === undefined ? {} : { highDbm0: levelDbm0, lowDbm0: levelDbm0 - twistDb };
  const { onMs } = speaks;
  /** Says it, and when its last digit is over, on the clock of the audio. */
  const says = (text: string): number => {
    const made =
      speaks.isStmf === true
        ? stmf(text, levelDbm0 === undefined ? {} : { levelDbm0 })
        : dtmf(text, { onMs, offMs: onMs, ...levels });
    if (!made.ok) throw new Error(made.error.reason);
    const { loudBehindMs } = setting;
    const behind = loudBehindMs === undefined ? [] : [tone(LOUD_HZ, loudBehindMs, LOUD_DBM0)];
    const said = render([...made.value, ...behind]);
    unit.audio.say(setting.noiseDb === undefined ? said : noisy(said, setting.noiseDb, random));
    return site.media.nowMs + 2 * text.length * onMs - (speaks.isStmf === true ? 5 : onMs);
  };
  const posted = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
  let number = 0;

  return {
    /** One call: asked, the unit says its string, repeats it while it is not acknowledged, four times. */
    async handshake(): Promise<ToneHandshake> {
      number++;
      const string = speaks.string(number);
      const place = 1 + Math.floor(random() * (string.length - 1));
      const doubled = `${string.slice(0, place)}${string[place - 1]}${string.slice(place)}`;
      const before = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 })[0];
      const postedBefore = posted().length;
      unit.audio.digits.splice(0);
      const talk = await unit.invite('analogue', net.pump);
      unit.acknowledge(talk, unit.response(200));
      await net.pump();
      const digits: PhoneDigit[] = [];
      let endMs = Number.POSITIVE_INFINITY;
      let said = 0;
      let tookMs: number | undefined;
      for (let ms = 0; ms < 40_000 && tookMs === undefined; ms += STEP_MS) {
        await net.after(STEP_MS, STEP_MS);
        digits.push(...unit.audio.digits.splice(0));
        const mayHear = said > 0 && unit.audio.quiet;
        if (mayHear && speaks.isTaken(digits)) {
          const first = unit.audio.packets.find(({ atMs, payload }) => atMs > endMs && isLoud(payload));
          tookMs = (first?.atMs ?? Number.POSITIVE_INFINITY) - endMs;
          break;
        }
        const silent = mayHear && site.media.nowMs - endMs > speaks.againMs;
        if ((speaks.isAsked(digits) && unit.audio.quiet) || (silent && said < MOST_SAID)) {
          await net.after(DEVICE_WAIT_MS, STEP_MS);
          digits.splice(0);
          unit.audio.digits.splice(0);
          unit.audio.packets.splice(0);
          endMs = says(said === 0 && setting.isDoubled === true ? doubled : string);
          said++;
        }
      }
      unit.inDialog(talk, 'BYE');
      await net.after(500);
      const after = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 })[0];
      const grew = (key: 'firstTry' | 'retried') => (after?.[key] ?? 0) > (before?.[key] ?? 0);
      const events = posted().slice(postedBefore);
      const isOurs = ({ body }: (typeof events)[number]) =>
        (body.alarmEvent as { readonly controllerId?: string }).controllerId === speaks.controller(number);
      return {
        result: grew('firstTry') ? 'first' : grew('retried') ? 'retried' : 'failed',
        delivered: events.length,
        wrong: events.filter((event) => !isOurs(event)).length,
        tookMs,
      };
    },
    close: () => site.close(),
  };
}

/** Each of so many calls. */
export async function handshakes(setting: ToneLineSetting, calls: number): Promise<readonly ToneHandshake[]> {
  const line = await toneLine(setting);
  const all: ToneHandshake[] = [];
  for (let count = 0; count < calls; count++) all.push(await line.handshake());
  await line.close();
  return all;
}

/** How many of each. */
export async function measured(setting: ToneLineSetting, calls: number) {
  const results = { first: 0, retried: 0, failed: 0 };
  for (const { result } of await handshakes(setting, calls)) results[result]++;
  return results;
}
