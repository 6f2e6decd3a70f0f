import { NOWIP_PROFILE } from '../../alarm/protocol/nowip/index.ts';
import { ALARM_POLICY } from '../../call/control/index.ts';
import { type NowIpBehaviour, NowIpUnit } from '../endpoint/nowip-unit.ts';
import type { Telephone } from '../endpoint/telephone.ts';
import { openTelephone } from './open-telephone.ts';

interface MessageReplyPath {
  /** `host:port` of the appliance. */
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  /** User part of the receiver. */
  readonly receiver: string;
  /** User part of From. */
  readonly device: string;
  readonly password: string | undefined;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

/** An alarm of NOW-IP to raise. */
export interface NowIpRun extends MessageReplyPath {
  /** 8 digits of the controller, 4 of the unit. */
  readonly identity: string;
  /** Three digits of BS 8521; undefined: a sign of life. */
  readonly event: string | undefined;
  /** It calls after the acknowledge and stays so long on the line, ms; 0: it does not call. */
  readonly talkMs: number;
  readonly behaviour: NowIpBehaviour;
}

/** A body of LACS to send: its form is the customer's. `{{reference}}` in it is replaced. */
export interface LacsRun extends MessageReplyPath {
  readonly body: string;
}

export interface MessageOutcome {
  readonly acknowledged: boolean;
  /** The messages to the device, in order. */
  readonly heard: readonly string[];
  /** Why not, or how the call ended. */
  readonly ended: string;
}

/** A controller repeats its message so often, so far apart. */
const TRIES = 3;
const ANSWER_WAIT_MS = 5_000;

/** Raises one NOW-IP alarm: message, acknowledge, call, commands. Rejects when no receiver can be reached. */
export async function simulateNowIp(run: NowIpRun): Promise<MessageOutcome> {
  const unit = NowIpUnit.of(run.identity, run.event ?? '010', run.behaviour, () => Date.now());
  if (!unit.ok) throw new Error(unit.error.reason);
  const type = NOWIP_PROFILE.contentType;
  const { told, heard } = ledger(run);
  const open = await openTelephone({ ...run, user: run.device, policy: ALARM_POLICY });
  const { telephone } = open;
  let hangUp: () => void = () => {};
  try {
    const acknowledged = answered();
    telephone.takeMessagesBy((body) => {
      const made = unit.value.onMessage(body);
      told(made.text);
      if (made.event === 'acknowledged') acknowledged.give();
      // The answer to clear-down goes out before the end of the call.
      if (made.event === 'cleared') setTimeout(() => hangUp(), CLEARED_MS);
      return made.answer === undefined ? undefined : { type, body: made.answer };
    });
    const body = run.event === undefined ? unit.value.heartbeat() : unit.value.alarm();
    const said = await sayUntil(telephone, run, { type, body }, acknowledged, told);
    if (said !== undefined) return { acknowledged: false, heard, ended: said };
    if (run.talkMs === 0 || run.event === undefined)
      return { acknowledged: true, heard, ended: 'without a call' };
    const ended = await new Promise<string>((resolve) => {
      let limit: NodeJS.Timeout | undefined;
      const line = telephone.call(run.receiver, {
        ringing: (_, status) => told(`rings: ${status}`),
        answered: () => {
          told('is answered');
          limit ??= setTimeout(() => line.hangUp(), run.talkMs);
        },
        ended: (_, reason) => {
          clearTimeout(limit);
          resolve(reason);
        },
      });
      hangUp = () => line.hangUp();
    });
    told(`the call is over: ${ended}`);
    return { acknowledged: true, heard, ended };
  } finally {
    await open.close();
  }
}

/** Sends one body of LACS and waits for the answer. Rejects when no receiver can be reached. */
export async function simulateLacs(run: LacsRun): Promise<MessageOutcome> {
  const { told, heard } = ledger(run);
  const open = await openTelephone({ ...run, user: run.device, policy: ALARM_POLICY });
  try {
    const answer = answered();
    open.telephone.takeMessagesBy((body) => {
      told(`is answered: ${Buffer.from(body).toString()}`);
      answer.give();
      return undefined;
    });
    const body = run.body.replaceAll('{{reference}}', String(Date.now() % 1_000_000));
    const ended = await sayUntil(open.telephone, run, { type: 'application/xml', body }, answer, told);
    return { acknowledged: ended === undefined, heard, ended: ended ?? 'answered' };
  } finally {
    await open.close();
  }
}

const CLEARED_MS = 300;

function ledger({ onStep }: MessageReplyPath) {
  const startMs = performance.now();
  const notes: string[] = [];
  const print = (text: string): void => {
    if (text.startsWith('is ')) notes.push(text);
    onStep?.({ atMs: performance.now() - startMs, text });
  };
  return { told: print, heard: notes };
}

/** Something that comes, or does not within a time. */
function answered() {
  let give: () => void = () => {};
  const come = new Promise<true>((resolve) => {
    give = () => resolve(true);
  });
  const within = (ms: number): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    return Promise.race([come, late]).finally(() => clearTimeout(timer));
  };
  return { give: () => give(), within };
}

/** Undefined: the answer is there; else why not. */
async function sayUntil(
  telephone: Telephone,
  { receiver }: MessageReplyPath,
  said: { readonly type: string; readonly body: string },
  answer: ReturnType<typeof answered>,
  print: (text: string) => void,
): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    print(`says ${said.body}`);
    const taken = await telephone.say(receiver, said);
    if (!taken.ok) return taken.error.reason;
    if (await answer.within(ANSWER_WAIT_MS)) return undefined;
  }
  return `no acknowledge of ${TRIES} messages`;
}
