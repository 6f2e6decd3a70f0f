import { setTimeout as pause } from 'node:timers/promises';
import { type LegPolicy, ORDINARY_POLICY } from '../../call/control/index.ts';
import { openPrompts } from '../../io/prompt/index.ts';
import type { Line, LineUser } from '../endpoint/telephone.ts';
import { openTelephone } from './open-telephone.ts';

/** The audio of a telephone on the line. */
export interface Sayings {
  /** A WAV, MP3 or Ogg file. */
  readonly file?: string;
  /** English or another language by a voice of this machine. */
  readonly text?: string;
  readonly lang?: string;
  /** Digits after that, as events where they are agreed. */
  readonly digits?: string;
}

export interface SipRun {
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly srtp: LegPolicy['srtp'];
  readonly says: Sayings;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

/** One call that is over. */
export interface SipOutcome {
  readonly answered: boolean;
  /** Digits heard, in their order. */
  readonly heard: string;
  /** Packets of audio received. */
  readonly packets: number;
  readonly ended: string;
}

export interface OpenPhone {
  /** Calls; resolves when the call is over. `talkMs`: how long it stays after it has said everything. */
  readonly call: (to: string, talkMs: number) => Promise<SipOutcome>;
  /** Answers every call, says what it has to say and hangs up `talkMs` later. */
  readonly answer: (talkMs: number, onOver: (outcome: SipOutcome) => void) => void;
  /** Ends every call, also one that rings. */
  readonly hangUp: () => void;
  /** Hangs up and leaves the registrar; one that does not answer is not waited for. */
  readonly close: () => Promise<void>;
}

const EXPIRES_S = 600;
const REMOVED_WITHIN_MS = 700;
const DIGIT_MS = 80;
/** A called party listens from our ACK on: it does not hear a digit right behind the 200. */
const BEFORE_DIGITS_MS = 500;

/** Registers a telephone and gives it a voice. Rejects when it is refused or no registrar can be reached. */
export async function openPhone(run: SipRun): Promise<OpenPhone> {
  const startMs = performance.now();
  const print = (text: string): void => run.onStep?.({ atMs: performance.now() - startMs, text });
  const open = await openTelephone({
    ...run,
    policy: { ...ORDINARY_POLICY, profile: 'alarm', srtp: run.srtp },
  });
  const { telephone, media } = open;
  const phrases = await phrasesOf(run.says).catch(async (cause: unknown) => {
    await open.close();
    throw cause;
  });
  if (run.password !== undefined) {
    const registered = await telephone.register(EXPIRES_S);
    if (!registered.ok) {
      await open.close();
      throw new Error(registered.error.reason);
    }
    print(`${run.user} is registered at ${run.domain}`);
  }

  /** A call from its answer to its end. */
  const lineUser = (talkMs: number, done: (outcome: SipOutcome) => void): LineUser => {
    let answered = false;
    let digits = '';
    let packets = 0;
    let last: NodeJS.Timeout | undefined;
    const leave = (line: Line): void => {
      last = setTimeout(() => {
        void media.stats(line.name).then((stats) => {
          if (stats.ok) packets = stats.value.received.packets;
          line.hangUp();
        });
      }, talkMs);
    };
    return {
      ringing: (_, status) => print(`rings: ${status}`),
      answered: (line) => {
        if (answered) return;
        answered = true;
        print('is on the line');
        void media.listen(line.name, { profile: 'ivr', digits: true, tones: [] });
        if (phrases.length === 0) leave(line);
        else void media.play(line.name, `${line.name} says`, { phrases, over: 'instead' });
      },
      mediaEvent: (line, event) => {
        if (event.kind === 'digit' && event.edge === 'end') {
          digits += event.digit;
          print(`hears ${event.digit}`);
        } else if (event.kind === 'rtpStarted') print('hears the other side');
        else if (event.kind === 'played') {
          print('has said everything');
          leave(line);
        }
      },
      ended: (_, reason) => {
        clearTimeout(last);
        print(`the call is over: ${reason}`);
        done({ answered, heard: digits, packets, ended: reason });
      },
    };
  };

  return {
    call: (to, talkMs) => new Promise((resolve) => telephone.call(to, lineUser(talkMs, resolve))),
    answer: (talkMs, onOver) => {
      telephone.takeCallsBy((caller) => {
        print(`is called by ${caller}`);
        return lineUser(talkMs, onOver);
      });
    },
    hangUp: () => telephone.hangUp(),
    close: async () => {
      telephone.hangUp();
      if (run.password !== undefined) await Promise.race([telephone.register(0), pause(REMOVED_WITHIN_MS)]);
      await open.close();
    },
  };
}

async function phrasesOf({ file, text, lang = 'en', digits }: Sayings) {
  const sources = [
    ...(file === undefined ? [] : [{ kind: 'file', path: file } as const]),
    ...(text === undefined ? [] : [{ kind: 'tts', text, lang } as const]),
  ];
  const said = [];
  if (sources.length > 0) {
    const prompts = await openPrompts();
    try {
      for (const source of sources) {
        const prepared = await prompts.prepare(source, new AbortController().signal);
        if (!prepared.ok) throw new Error(prepared.error.reason);
        said.push({ kind: 'prompt', prompt: prepared.value.prompt } as const);
      }
    } finally {
      await prompts.close();
    }
  }
  const pressed =
    digits === undefined ? [] : [{ kind: 'digits', digits, onMs: DIGIT_MS, offMs: DIGIT_MS } as const];
  const silence =
    digits === undefined || said.length > 0 ? [] : [{ kind: 'silence', ms: BEFORE_DIGITS_MS } as const];
  return [...said, ...silence, ...pressed];
}
