import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import {
  nextSequence,
  type Outgoing,
  type SendEffect,
  sending,
  stepSending,
} from '../../alarm/protocol/dc09/index.ts';
import { FrameReader } from '../../alarm/protocol/framed-ip/index.ts';
import { aesCbc } from '../../io/frame-listener/index.ts';

/** Frames to send, and to whom. */
export interface Dc09Run {
  /** `host:port` of the receiver. */
  readonly to: string;
  readonly transport: 'tcp' | 'udp';
  readonly account: string;
  /** SIA DC-03 event data such as `NBA01`, or Contact ID `1131 01 015` for ADM-CID. Empty: a NULL frame. */
  readonly data: string;
  readonly token: 'SIA-DCS' | 'ADM-CID' | 'NULL';
  /** AES key as hex; undefined = plain. */
  readonly key: string | undefined;
  readonly count: number;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface Dc09Outcome {
  readonly sent: number;
  readonly acknowledged: number;
  readonly failures: readonly string[];
}

interface Line {
  readonly send: (bytes: Uint8Array) => void;
  readonly close: () => void;
}

const sealing = { aes: aesCbc, random: (size: number) => randomBytes(size) };

/** Sends `count` frames one after the other as a panel would. Rejects when no receiver can be reached. */
export async function simulateDc09(run: Dc09Run): Promise<Dc09Outcome> {
  const startMs = performance.now();
  const print = (text: string): void => run.onStep?.({ atMs: performance.now() - startMs, text });
  const reader = new FrameReader();
  let onBytes: (bytes: Uint8Array) => void = () => {};
  let lost: (reason: string) => void = () => {};
  const line = await open(
    run,
    (bytes) => onBytes(bytes),
    (reason) => lost(reason),
  );
  let sequence = String(1 + Math.floor(Math.random() * 9_000)).padStart(4, '0');
  let offsetMs = 0;
  let acknowledged = 0;
  const failures: string[] = [];
  try {
    for (let at = 0; at < run.count; at++, sequence = nextSequence(sequence)) {
      const last = await one(outgoingOf(run, sequence), offsetMs);
      if (last.type === 'done') {
        acknowledged++;
        offsetMs = last.offsetMs;
      } else if (last.type === 'failed') failures.push(last.reason);
    }
  } finally {
    line.close();
  }
  return { sent: run.count, acknowledged, failures };

  function one(outgoing: Outgoing, clockOffsetMs: number): Promise<SendEffect> {
    return new Promise((resolve) => {
      let state = sending(outgoing, undefined, clockOffsetMs);
      let timer: NodeJS.Timeout | undefined;
      const input = (said: Parameters<typeof stepSending>[1]): void => {
        const step = stepSending(state, said, sealing);
        state = step.state;
        for (const effect of step.effects) {
          if (effect.type === 'send') {
            print(`frame ${outgoing.sequence} sent: ${shown(effect.bytes)}`);
            line.send(effect.bytes);
          } else if (effect.type === 'startTimer') {
            clearTimeout(timer);
            timer = setTimeout(() => input({ type: 'timer', wallMs: Date.now() }), effect.ms);
          } else {
            clearTimeout(timer);
            if (effect.type !== 'stopTimer') resolve(effect);
          }
        }
      };
      onBytes = (bytes) => {
        for (const found of reader.push(bytes)) {
          if (found.kind !== 'frame') continue;
          print(`answered: ${Buffer.from(found.frame.body).toString('latin1')}`);
          input({ type: 'frame', wallMs: Date.now(), frame: found.frame });
        }
      };
      lost = (reason) => {
        clearTimeout(timer);
        resolve({ type: 'failed', warning: 'noAnswer', reason });
      };
      input({ type: 'start', wallMs: Date.now() });
    });
  }
}

function outgoingOf({ token, account, data, key }: Dc09Run, sequence: string): Outgoing {
  return {
    token,
    sequence,
    line: '0',
    account,
    data: token === 'NULL' ? '' : `#${account}|${data}`,
    ...(key !== undefined && { key: Buffer.from(key, 'hex') }),
  };
}

function open(
  { to, transport }: Dc09Run,
  onBytes: (bytes: Uint8Array) => void,
  lost: (reason: string) => void,
): Promise<Line> {
  const colon = to.lastIndexOf(':');
  const host = to.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(to.slice(colon + 1));
  if (transport === 'udp') {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.on('message', onBytes);
    socket.on('error', (cause) => lost(cause.message));
    return Promise.resolve({
      send: (bytes) => socket.send(bytes, port, host),
      close: () => socket.close(),
    });
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('error', (cause) => reject(new Error(`nobody listens for DC-09 on ${to}: ${cause.message}`)));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      socket.on('error', (cause) => lost(cause.message));
      socket.on('close', () => lost('the receiver closed the connection'));
      socket.on('data', onBytes);
      resolve({ send: (bytes) => socket.write(bytes), close: () => socket.destroy() });
    });
  });
}

const shown = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(9, -1)).toString('latin1');
