import { decodeResponse, encodeRequest, type ScaipResponse } from '../../alarm/protocol/scaip/index.ts';
import { TimerWheel } from '../../kernel/timer-wheel.ts';
import { authorize, chooseChallenge, type Hash } from '../../sip/auth/index.ts';
import type { Flow, Outcome, ServerTransaction, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { SipRequest, SipResponse } from '../../sip/message/index.ts';

/** How a simulated device behaves. Times in ms. */
export interface DeviceBehaviour {
  /** Without an answer for so long the request is sent again, with the same reference. */
  readonly answerWaitMs: number;
  readonly tries: number;
  /** Pause before it is sent again after a failure. */
  readonly retryMs: number;
  /** Asked to hold, it asks again after this time. */
  readonly holdResendMs: number;
}

export const DEVICE_BEHAVIOUR: DeviceBehaviour = {
  answerWaitMs: 10_000,
  tries: 3,
  retryMs: 1_000,
  holdResendMs: 5_000,
};

/** One alarm to raise. */
export interface SimulatedAlarm {
  readonly device: string;
  readonly reference: string;
  readonly deviceType: string;
  readonly statusCode: string;
}

/** The result of an alarm. `answered`: the centre took a decision, whatever it was. */
export type AlarmResult =
  | { readonly kind: 'answered'; readonly response: ScaipResponse }
  | { readonly kind: 'failed'; readonly reason: string };

export interface DeviceStep {
  readonly reference: string;
  readonly text: string;
}

export interface ScaipDevicePorts {
  readonly endpoint: SipEndpoint;
  readonly flow: Flow;
  /** Request URI of the receiver, `sip:scaip@demo.carillon.test`. */
  readonly receiver: string;
  readonly domain: string;
  /** Token for tags and Call-IDs. */
  readonly token: () => string;
  readonly hash: Hash;
  readonly password: string | undefined;
  readonly onStep: (step: DeviceStep) => void;
}

interface Open {
  readonly alarm: SimulatedAlarm;
  readonly done: (result: AlarmResult) => void;
  tries: number;
  /** Sent and confirmed; else a pause runs before the next try. */
  waitsForAnswer: boolean;
  cseq: number;
  readonly callId: string;
}

/**
 * SCAIP devices on one SIP endpoint. Each alarm:
 *
 *   sending --200--> waiting --snu 0, 5, 6, error--> answered
 *      |               |  `--snu 4--> holding --holdResendMs--> sending
 *      | 401: digest   `--answerWaitMs--> pausing
 *      `--no answer, 4xx, 5xx--> pausing --retryMs--> sending, `tries` times --> failed
 */
export class ScaipDevices {
  readonly #ports: ScaipDevicePorts;
  readonly #behaviour: DeviceBehaviour;
  readonly #open = new Map<string, Open>();
  readonly #wheel: TimerWheel<string, 'again'>;
  readonly #timers = new Map<string, ReturnType<TimerWheel<string, 'again'>['start']>>();

  constructor(ports: ScaipDevicePorts, nowMs: number, behaviour: DeviceBehaviour = DEVICE_BEHAVIOUR) {
    this.#ports = ports;
    this.#behaviour = behaviour;
    this.#wheel = new TimerWheel(nowMs);
  }

  raise(alarm: SimulatedAlarm, nowMs: number, done: (result: AlarmResult) => void): void {
    const open: Open = {
      alarm,
      done,
      tries: 0,
      waitsForAnswer: false,
      cseq: 0,
      callId: `${this.#ports.token()}@simulator`,
    };
    this.#open.set(alarm.reference, open);
    this.#send(open, nowMs);
  }

  advance(nowMs: number): void {
    for (const { key } of this.#wheel.advance(nowMs)) {
      this.#timers.delete(key);
      const open = this.#open.get(key);
      if (open === undefined) continue;
      if (open.waitsForAnswer)
        this.#again(open, `no answer within ${this.#behaviour.answerWaitMs / 1000} s`, nowMs);
      else this.#send(open, nowMs);
    }
  }

  /** A request of the centre: the answer to one of our alarms. */
  deliver(request: SipRequest, server: ServerTransaction, nowMs: number): void {
    const response = request.method === 'MESSAGE' ? decodeResponse(request.body) : undefined;
    if (response === undefined || !response.ok) {
      server.respond({ status: response === undefined ? 501 : 400 }, nowMs);
      return;
    }
    server.respond({ status: 200 }, nowMs);
    this.#answered(response.value, nowMs);
  }

  #send(open: Open, nowMs: number, authorization?: string): void {
    const { alarm } = open;
    const { domain, receiver } = this.#ports;
    open.cseq++;
    const body = encodeRequest({
      ref: alarm.reference,
      cid: alarm.device,
      dty: alarm.deviceType,
      stc: alarm.statusCode,
    });
    const headers: [string, string][] = [
      ['From', `<sip:${alarm.device}@${domain}>;tag=${this.#ports.token()}`],
      ['To', `<${receiver}>`],
      ['Call-ID', open.callId],
      ['CSeq', `${open.cseq} MESSAGE`],
      ['Content-Type', 'application/scaip+xml'],
    ];
    if (authorization !== undefined) headers.push(['Authorization', authorization]);
    this.#step(open, `sends its alarm by SIP MESSAGE to ${receiver} over ${this.#ports.flow.transport}`);
    const message = { method: 'MESSAGE', uri: receiver, headers, body: Buffer.from(body) };
    this.#ports.endpoint.request(message, this.#ports.flow, nowMs, (outcome, atMs) =>
      this.#outcome(open, outcome, atMs, authorization === undefined),
    );
  }

  #outcome(open: Open, outcome: Outcome, nowMs: number, mayAuthorize: boolean): void {
    if (this.#open.get(open.alarm.reference) !== open) return;
    if (outcome.kind !== 'response') {
      this.#again(open, `SIP ${outcome.kind}`, nowMs);
      return;
    }
    const { response } = outcome;
    if (response.status < 200) return;
    if (response.status < 300) {
      this.#step(open, `has SIP ${response.status}: its message arrived; waits for the centre's answer`);
      // Interop: some centres answer in the body of the 200.
      const inBody = response.contentLength > 0 ? decodeResponse(response.body) : undefined;
      if (inBody?.ok) this.#answered(inBody.value, nowMs);
      else this.#wait(open, this.#behaviour.answerWaitMs, true, nowMs);
      return;
    }
    const authorization = response.status === 401 && mayAuthorize ? this.#digest(open, response) : undefined;
    if (authorization !== undefined) this.#send(open, nowMs, authorization);
    else this.#again(open, `SIP ${response.status} ${response.reason}`, nowMs);
  }

  #digest({ alarm }: Open, response: SipResponse): string | undefined {
    const { password, receiver, hash, token } = this.#ports;
    const challenge = chooseChallenge(response.headers('WWW-Authenticate'));
    if (password === undefined || !challenge.ok) return undefined;
    const login = { username: alarm.device, password };
    return authorize(
      hash,
      challenge.value,
      login,
      { method: 'MESSAGE', uri: receiver },
      { count: 1, cnonce: token() },
    );
  }

  #answered(response: ScaipResponse, nowMs: number): void {
    const open = this.#open.get(response.ref);
    if (open === undefined) return;
    this.#stop(open);
    if (response.snu === 4) {
      this.#step(open, 'is asked to hold (snu 4): the centre is still deciding; asks again');
      open.tries = 0;
      this.#wait(open, this.#behaviour.holdResendMs, false, nowMs);
      return;
    }
    this.#step(open, sentence(response));
    this.#open.delete(response.ref);
    open.done({ kind: 'answered', response });
  }

  #again(open: Open, reason: string, nowMs: number): void {
    open.tries++;
    if (open.tries < this.#behaviour.tries) {
      this.#step(open, `${reason}: will send the same alarm again`);
      this.#wait(open, this.#behaviour.retryMs, false, nowMs);
      return;
    }
    this.#stop(open);
    this.#open.delete(open.alarm.reference);
    open.done({ kind: 'failed', reason: `${reason} after ${open.tries} tries` });
  }

  #wait(open: Open, ms: number, forAnswer: boolean, nowMs: number): void {
    const { alarm } = open;
    this.#stop(open);
    open.waitsForAnswer = forAnswer;
    this.#timers.set(alarm.reference, this.#wheel.start(alarm.reference, 'again', nowMs + ms));
  }

  #stop({ alarm }: Open): void {
    const timer = this.#timers.get(alarm.reference);
    if (timer === undefined) return;
    this.#wheel.stop(timer);
    this.#timers.delete(alarm.reference);
  }

  #step({ alarm }: Open, text: string): void {
    this.#ports.onStep({ reference: alarm.reference, text });
  }
}

/** The answer in words. */
function sentence({ snu, mre, cre, tnu }: ScaipResponse): string {
  if (snu !== 0)
    return `is told snu ${snu}: ${snu === 5 ? 'not taken over, tries its next receiver' : 'not taken over'}`;
  if (mre === undefined || mre === 0)
    return 'has its acknowledge (snu 0): the alarm is in good hands, no call is wanted';
  const number = tnu?.[0];
  if (cre === 62 && number !== undefined) return `has its acknowledge (snu 0) and is to call ${number}`;
  return cre === 61
    ? 'has its acknowledge (snu 0) and is to call the number it is programmed with'
    : `has its acknowledge (snu 0) and will be called within ${cre} minutes`;
}
