import { createHash, randomBytes } from 'node:crypto';
import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import {
  DC09_PROFILE,
  decodeMessage,
  duhFrame,
  LinkTable,
  nakFrame,
} from '../../alarm/protocol/dc09/index.ts';
import type { Frame } from '../../alarm/protocol/framed-ip/index.ts';
import { decodeRequest, encodeResponse, SCAIP_PROFILE, SNU } from '../../alarm/protocol/scaip/index.ts';
import { phrasesOf } from '../../alarm/voice/index.ts';
import { ALARM_POLICY } from '../../call/control/index.ts';
import { aesCbc, openFrameListener } from '../../io/frame-listener/index.ts';
import { openMedia } from '../../io/media-worker/index.ts';
import { openLookup } from '../../io/resolve/index.ts';
import { openSipTransport, type SipTransport } from '../../io/sip-transport/index.ts';
import type { Media } from '../../media/control/index.ts';

import { type Line, type LineUser, Telephone } from '../endpoint/telephone.ts';
import {
  CENTRE_TONES,
  type CentreEffect,
  type CentreToneProtocol,
  centreListens,
  ToneCentre,
} from '../endpoint/tone-centre.ts';
import { NowIpCentre } from './nowip-centre.ts';

export const CENTRE_PROTOCOLS = ['scaip', 'nowip', 'lacs', ...CENTRE_TONES, 'voicecall', 'dc09'] as const;
export const CENTRE_ANSWERS = ['acknowledge', 'hold', 'busy', 'refuse', 'wrong', 'silent'] as const;

/** A centre that receives alarms, and how it behaves. */
export interface ReceiveRun {
  readonly protocol: (typeof CENTRE_PROTOCOLS)[number];
  readonly host: string;
  readonly port: number;
  /**
   * `hold`, `busy`, `refuse`, `wrong`: snu 4, 6, 5, 3 of SCAIP; of calls `busy` is 486, `refuse` and `wrong` ask and never
   * acknowledge; of DC-09 `refuse` is DUH and `wrong` NAK. `silent` says nothing at all.
   */
  readonly answer: (typeof CENTRE_ANSWERS)[number];
  /** SCAIP: the address that the answer makes the device call. */
  readonly call: string | undefined;
  readonly commands: readonly DeviceCommand[];
  readonly talkMs: number;
  /** DC-09: AES key as hex. */
  readonly key: string | undefined;
  /** SCAIP and DC-09: how long the centre thinks before it answers, ms. */
  readonly answerMs?: number;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface RunningReceiver {
  readonly ready: { readonly protocol: string; readonly host: string; readonly port: number };
  /** Native texts of the alarms so far. */
  readonly alarms: readonly string[];
  readonly close: () => Promise<void>;
}

const TICK_MS = 10;
/** Audio ports of a centre, away from those of appliances and telephones. */
const PORTS = { from: 56_000, to: 56_999 };

/** Opens a receiver on real sockets. Rejects when its address cannot be had. */
export async function openReceiver(run: ReceiveRun): Promise<RunningReceiver> {
  const startMs = performance.now();
  const alarms: string[] = [];
  const print = (text: string): void => run.onStep?.({ atMs: performance.now() - startMs, text });
  const alarm = (text: string): void => {
    alarms.push(text);
    print(`alarm ${text}`);
  };
  const opened = run.protocol === 'dc09' ? await frames(run, alarm, print) : await sip(run, alarm, print);
  return {
    ready: { protocol: run.protocol, host: run.host, port: opened.port },
    alarms,
    close: opened.close,
  };
}

type Print = (text: string) => void;

async function sip(run: ReceiveRun, alarm: Print, print: Print) {
  const clock = { monoMs: () => performance.now(), wallMs: () => Date.now() };
  const media = await openMedia({ ports: PORTS, workers: 1, warmUpMs: 50, log: () => undefined });
  let transport: SipTransport | undefined;
  const telephone = new Telephone(
    { user: 'arc', domain: run.host, password: undefined, address: run.host, policy: ALARM_POLICY },
    {
      clock,
      random: (length) => randomBytes(length),
      run: (work) => void work.catch(fatal),
      hash: (algorithm, text) =>
        createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
          .update(text)
          .digest('hex'),
      lookup: openLookup({ monoMs: clock.monoMs }),
      media,
      send: (flow, bytes) => void transport?.send(flow, bytes),
      contactPort: (flow) => flow.localPort,
      defect: fatal,
    },
  );
  const at = { host: run.host, port: run.port };
  transport = await openSipTransport(
    { udp: [at], tcp: [at], monoMs: clock.monoMs },
    {
      message: (flow, bytes) => telephone.message(flow, bytes),
      closed: (flow) => telephone.flowFailed(flow),
      failed: (flow) => telephone.flowFailed(flow),
    },
  ).catch(async (cause: unknown) => {
    await media.close();
    throw cause;
  });
  const ticker = setInterval(() => telephone.advance(), TICK_MS);
  const nowip = new NowIpCentre(run, alarm, print);
  telephone.takeMessagesBy(async (body, back) => {
    const said =
      run.protocol === 'nowip'
        ? nowip.onMessage(body, back)
        : run.protocol === 'lacs'
          ? lacsAnswer(run, body, alarm, print)
          : scaipAnswer(run, body, alarm, print);
    await thinks(run);
    return said;
  });
  const calls = new Set<() => void>();
  telephone.takeCallsBy((caller) => {
    if (run.answer === 'busy') return undefined;
    print(`${caller} calls`);
    if (run.protocol === 'nowip') return nowip.talk();
    return run.protocol === 'voicecall' || run.protocol === 'scaip' || run.protocol === 'lacs'
      ? talker(run, alarm, print)
      : conversation(run, run.protocol as CentreToneProtocol, media, alarm, print, calls);
  });
  return {
    port: transport.bound.find((each) => each.transport === 'UDP')?.port ?? run.port,
    close: async () => {
      clearInterval(ticker);
      for (const stop of calls) stop();
      await transport?.close();
      await media.close();
    },
  };
}

/** The answer to a request; undefined: none. */
function scaipAnswer(
  { answer, call, protocol }: ReceiveRun,
  body: Uint8Array,
  alarm: Print,
  print: Print,
): { readonly type: string; readonly body: string } | undefined {
  const read = protocol === 'scaip' ? decodeRequest(body) : undefined;
  if (read?.ok !== true) {
    print('a message that is no SCAIP request');
    return undefined;
  }
  const { ref, raw } = read.value;
  const snu = {
    acknowledge: SNU.ok,
    hold: SNU.hold,
    busy: SNU.busy,
    refuse: SNU.notTreated,
    wrong: SNU.wrongContent,
  }[answer === 'silent' ? 'acknowledge' : answer];
  if (answer === 'acknowledge') alarm(raw);
  else print(`${answer}: ${raw}`);
  if (answer === 'silent') return undefined;
  const voice = snu === SNU.ok && call !== undefined ? { mre: 1, cre: 62, tnu: [call] } : { mre: 0 };
  return { type: SCAIP_PROFILE.contentType, body: encodeResponse({ ref, snu, ...voice }) };
}

/** The form of LACS is the customer's: any body is an alarm, and `<ok/>` answers it. */
function lacsAnswer({ answer }: ReceiveRun, body: Uint8Array, alarm: Print, print: Print) {
  const text = Buffer.from(body).toString();
  if (answer === 'acknowledge') alarm(text);
  else print(`${answer}: ${text}`);
  return answer === 'acknowledge' ? { type: 'application/xml', body: '<ok/>' } : undefined;
}

/** A person who answers. */
const talker = ({ talkMs }: ReceiveRun, alarm: Print, print: Print): LineUser => {
  let limit: NodeJS.Timeout | undefined;
  return {
    answered: (line) => {
      if (limit !== undefined) return;
      alarm(`call of ${line.peer}`);
      limit = setTimeout(() => line.hangUp(), talkMs);
    },
    ended: (_, reason) => {
      clearTimeout(limit);
      print(`the call is over: ${reason}`);
    },
  };
};

function conversation(
  run: ReceiveRun,
  protocol: CentreToneProtocol,
  media: Media,
  alarm: Print,
  print: Print,
  calls: Set<() => void>,
): LineUser {
  const { commands, talkMs, answer } = run;
  const centre = new ToneCentre({ protocol, acknowledges: answer === 'acknowledge', commands, talkMs });
  const timers = new Map<string, NodeJS.Timeout>();
  const stop = (): void => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
  calls.add(stop);
  let answeredMs = 0;
  let plays = 0;
  let begun = false;
  const now = (): number => performance.now() - answeredMs;
  const perform = (line: Line, effects: readonly CentreEffect[]): void => {
    for (const effect of effects) {
      switch (effect.type) {
        case 'play': {
          print(`says ${JSON.stringify(effect.tones)}`);
          const plan = { phrases: phrasesOf(effect.tones, 'inaudio'), over: 'instead' } as const;
          void media.play(line.name, `${line.name} ${++plays}`, plan);
          break;
        }
        case 'stopPlaying':
          void media.stop(line.name, `${line.name} ${plays}`);
          break;
        case 'alarm':
          alarm(effect.text);
          break;
        case 'hangUp':
          line.hangUp();
          break;
        case 'startTimer':
          clearTimeout(timers.get(effect.timer));
          timers.set(
            effect.timer,
            setTimeout(() => perform(line, centre.timer(effect.timer, now())), effect.ms),
          );
          break;
        case 'stopTimer':
          clearTimeout(timers.get(effect.timer));
          break;
      }
    }
  };
  return {
    answered: (line) => {
      if (begun) return;
      begun = true;
      answeredMs = performance.now();
      void media.listen(line.name, {
        profile: 'alarm',
        digits: true,
        tones: [],
        ...centreListens(protocol),
      });
      if (answer !== 'silent') perform(line, centre.answered());
    },
    mediaEvent: (line, event) => {
      if (event.kind !== 'digit' || event.edge !== 'end') return;
      const { digit, atMs, durationMs: ms = 0, stmf } = event;
      const source = event.source === 'inband' ? 'inaudio' : '2833';
      print(`hears ${digit} of ${Math.round(ms)} ms${stmf === undefined ? '' : ' in sequential tones'}`);
      const tone = { digit, startMs: atMs, ms, source, ...(stmf && { stmf }) } as const;
      perform(line, centre.onTone(tone, now()));
    },
    ended: (_, reason) => {
      stop();
      calls.delete(stop);
      print(`the call is over: ${reason}`);
    },
  };
}

async function frames(run: ReceiveRun, alarm: Print, print: Print) {
  const sealing = { aes: aesCbc, random: (size: number) => randomBytes(size) };
  const links = new LinkTable(sealing);
  const key = run.key === undefined ? {} : { key: Buffer.from(run.key, 'hex') };
  const listening = await openFrameListener(
    { host: run.host, port: run.port },
    {
      frame: (frame: Frame, connection) => {
        if (run.answer !== 'acknowledge') {
          print(`${run.answer}: ${Buffer.from(frame.body).toString('latin1')}`);
          const message = decodeMessage(frame.body);
          if (run.answer === 'wrong') connection.send(nakFrame(Date.now()));
          else if (run.answer === 'refuse' && message.ok) connection.send(duhFrame(message.value.head));
          return;
        }
        const times = () => ({ at: performance.now(), wallMs: Date.now() });
        const setting = { scope: 'arc', profile: DC09_PROFILE, ...key };
        const from = { to: connection.id, address: connection.sourceIp };
        const queue = [...links.receive(frame, { ...times(), ...from, settingOf: () => setting })];
        for (let effect = queue.shift(); effect !== undefined; effect = queue.shift()) {
          if (effect.type === 'answer') {
            const { bytes } = effect;
            void thinks(run).then(() => connection.send(bytes));
          }
          if (effect.type === 'event' && effect.link !== null) {
            alarm(effect.source.raw);
            const { frame: name, ordinal } = effect;
            queue.push(...links.input(effect.link, { type: 'stored', ...times(), frame: name, ordinal }));
          }
        }
      },
      closed: () => undefined,
      report: (event) => print(event),
    },
  );
  return { port: listening.port, close: listening.close };
}

const thinks = ({ answerMs = 0 }: ReceiveRun): Promise<void> =>
  answerMs === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, answerMs));

/** A defect of the simulator is shown, not survived. */
function fatal(cause: unknown): void {
  setImmediate(() => {
    throw cause;
  });
}
