import { readAddressUser, sipUserOf } from '#shared/address-user.ts';
import type { WaitingCall } from '#shared/alarm-event/index.ts';
import type { ActiveCall, CallControl } from '../../../call/control/index.ts';
import type { CallbackPorts } from '../../../delivery/callback/index.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { BytePorts, KernelPorts } from '../../../kernel/port.ts';
import type { LegId, MediaPorts } from '../../../media/control/index.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { ProfileTables } from '../../profile/index.ts';
import { decodeAtm } from '../../protocol/nowip/index.ts';
import { decodeResponse } from '../../protocol/scaip/index.ts';
import { decodeContent } from '../../protocol/xml-message/index.ts';
import { ArcCall, type ArcCallUser } from './arc-call.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import { CallbackAttempt } from './callback-attempt.ts';
import { FrameAttempt } from './frame-attempt.ts';
import type { FrameLines } from './frame-line.ts';
import type { MessageLine } from './message-line.ts';
import { NowIpAttempt } from './nowip-attempt.ts';
import { ScaipAttempt } from './scaip-attempt.ts';
import { ToneAttempt } from './tone-attempt.ts';
import { VoiceAttempt } from './voice-attempt.ts';

type Ports = KernelPorts & TimerPorts & BytePorts & TenantPorts & CallbackPorts & MediaPorts;

export interface AttemptsDependencies {
  readonly calls: CallControl;
  readonly line: MessageLine;
  readonly frames: FrameLines | undefined;
  readonly turn: (work: () => void) => void;
  /** Audio of the device of a received alarm, when it is on the line. */
  readonly deviceLeg: (alarmSessionId: string | undefined) => LegId | undefined;
  readonly profiles: ProfileTables;
  /** Messages about this plan come from there. */
  readonly reached: (plan: AttemptPlan, remoteAddress: string) => void;
  /** The event as an HTTPS request, for the target `callback`. */
  readonly post: (plan: AttemptPlan) => ConstructorParameters<typeof CallbackAttempt>[1];
}

/** `Chosen:` as long as people let a telephone ring; a receiver answers by itself. */
const RING_MS = 45_000;

/** Makes attempts by protocol, owns their timers, and finds the one that a message of a receiver is for. */
export class Attempts {
  readonly #ports: Ports;
  readonly #dependencies: AttemptsDependencies;
  readonly #timers: TimerScope<string>;
  readonly #timed = new Map<string, { timer(name: string): void }>();
  /** By reference of the request. */
  readonly #scaip = new Map<string, ScaipAttempt>();
  /** By our identity and the address messages of the centre come from. */
  readonly #nowip = new Map<string, NowIpAttempt>();
  /** Calls that may take further events of their scheme. */
  readonly #joinable = new Set<Attempt>();
  #made = 0;

  constructor(ports: Ports, dependencies: AttemptsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((name, timer) =>
      dependencies.turn(() => this.#timed.get(name)?.timer(timer)),
    );
  }

  /** A call of its scheme that takes the event along; undefined: it needs an attempt of its own. */
  joined(plan: AttemptPlan): Attempt | undefined {
    for (const running of this.#joinable) if (running.add?.(plan) === true) return JOINED;
    return undefined;
  }

  /**
   * `arrived`: a receiver calls for the events that wait for it. `idle`: nothing is sent; a centre that calls or asks
   * gets that answer, or the units that wait.
   */
  make(plan: AttemptPlan, user: AttemptUser, arrived?: ActiveCall, idle?: readonly WaitingCall[]): Attempt {
    const name = `${plan.id} ${++this.#made}`;
    const { clock, media, run } = this.#ports;
    const { turn, line, profiles } = this.#dependencies;
    const named = plan.target.mapper?.protocolProfile;
    const place =
      arrived === undefined
        ? this.#place
        : ({ trace }: AttemptPlan, its: ArcCallUser) =>
            new ArcCall(this.#ports, this.#dependencies.calls, { arrived }, trace, its);
    const base = { run, turn, media, place };
    const start = (timer: string, ms: number) => this.#timers.start(name, timer, clock.monoMs() + ms);
    const stop = (timer: string) => this.#timers.stop(name, timer);
    const once = {
      now: clock.monoMs,
      line,
      turn,
      start: (ms: number) => start('wait', ms),
      stop: () => stop('wait'),
    };
    const { form } = plan;
    switch (form.kind) {
      case 'scaip': {
        const { ref } = form.form;
        const settled = (): void => {
          this.#scaip.delete(ref);
          this.#timed.delete(name);
        };
        const attempt = new ScaipAttempt(plan, form.form, settling(user, settled), {
          ...once,
          profile: profiles.scaip(named),
          deflate: this.#ports.deflate,
        });
        this.#scaip.set(ref, attempt);
        this.#timed.set(name, attempt);
        return attempt;
      }
      case 'nowip': {
        const attempt: NowIpAttempt = new NowIpAttempt(
          plan,
          form.form,
          this.#watched(name, user, () => attempt),
          {
            ...once,
            profile: profiles.nowip(named),
            place,
            idle,
            wallMs: clock.wallMs,
            onFlow: (remote) => {
              if (idle !== undefined) return;
              this.#nowip.set(identity(plan.address.from.user, remote), attempt);
              this.#dependencies.reached(plan, remote);
            },
          },
        );
        this.#timed.set(name, attempt);
        if (idle === undefined) this.#joinable.add(attempt);
        return attempt;
      }
      case 'bs8521':
      case 'tt': {
        const kind = idle !== undefined ? 'idle' : arrived === undefined ? 'ours' : 'called';
        const attempt: ToneAttempt = new ToneAttempt(
          plan,
          this.#watched(name, user, () => attempt),
          { ...base, profiles, start, stop, kind },
        );
        this.#timed.set(name, attempt);
        if (idle === undefined) this.#joinable.add(attempt);
        return attempt;
      }
      case 'voicecall':
        return new VoiceAttempt(plan, user, base);
      case 'dc09': {
        if (this.#dependencies.frames === undefined)
          return new Impossible(plan, user, 'this appliance has no way for frames');
        return new FrameAttempt(plan, form.said, user, this.#dependencies.frames, {
          setting: profiles.dc09(named).sender,
          isDc07: profiles.rootOf(named) === 'dc07',
        });
      }
      case 'callback':
        return new CallbackAttempt(plan, this.#dependencies.post(plan), user, { ...this.#ports, turn });
    }
  }

  /** Attempts of this session are of no further use. */
  forget(id: string): void {
    for (const [ref, attempt] of this.#scaip) if (attempt.plan.id === id) this.#scaip.delete(ref);
    for (const name of this.#timed.keys()) if (name.startsWith(`${id} `)) this.#drop(name);
  }

  /**
   * A MESSAGE of a receiver for one of our attempts.
   * @returns false when it is for none of them
   */
  take(request: SipRequest, flow: Flow): boolean {
    const read = decodeContent(request.body, request.header('Content-Encoding'), this.#ports.inflate);
    if (!read.ok) return false;
    if (Buffer.from(read.value).includes('mrs')) {
      const response = decodeResponse(read.value);
      const attempt = response.ok ? this.#scaip.get(response.value.ref) : undefined;
      if (!response.ok || attempt === undefined) return false;
      this.#dependencies.turn(() => attempt.answered(response.value));
      return true;
    }
    const us = plainUser(request.to.uriText);
    const attempt = us === undefined ? undefined : this.#nowip.get(identity(us, flow.remoteAddress));
    const atm = attempt === undefined ? undefined : decodeAtm(read.value);
    if (attempt === undefined || atm?.ok !== true) return false;
    const { value } = atm;
    this.#dependencies.turn(() => attempt.onMessage(value));
    return true;
  }

  readonly #place = (plan: AttemptPlan, user: ArcCallUser): ArcCall => {
    const { address, target, trace, order } = plan;
    return new ArcCall(
      this.#ports,
      this.#dependencies.calls,
      {
        destination: address.destination,
        from: arcFrom(plan),
        login: address.login,
        headers: arcHeaders(plan, this.#ports.tenant().domain),
        target,
        ringMs: RING_MS,
        near: this.#dependencies.deviceLeg(order.alarmSessionId),
      },
      trace,
      user,
    );
  };

  /** The same user; and when its call is done, the attempt is forgotten. */
  #watched(name: string, user: AttemptUser, attempt: () => Attempt): AttemptUser {
    return {
      acknowledged: (id, text, dialog) => user.acknowledged(id, text, dialog),
      queued: (id, text, dialog) => user.queued(id, text, dialog),
      failed: (id, failure) => {
        this.#joinable.delete(attempt());
        user.failed(id, failure);
      },
      speech: (id, speech) => user.speech(id, speech),
      command: (id, command) => user.command(id, command),
      lineOver: (id, reason, hasHungUp) => user.lineOver(id, reason, hasHungUp),
      passes: (id) => user.passes(id),
      signOfLife: (answered, reason) => user.signOfLife(answered, reason),
      shows: (destination, timeMs) => user.shows(destination, timeMs),
      done: () => {
        this.#joinable.delete(attempt());
        this.#drop(name);
        user.done();
      },
    };
  }

  #drop(name: string): void {
    const ended = this.#timed.get(name);
    this.#timed.delete(name);
    for (const [key, attempt] of this.#nowip) if (attempt === ended) this.#nowip.delete(key);
  }
}

/** The same user; once it has got its end, `settled`. */
const settling = (user: AttemptUser, settled: () => void): AttemptUser => ({
  ...user,
  failed: (id, failure) => {
    settled();
    user.failed(id, failure);
  },
  speech: (id, speech) => {
    settled();
    user.speech(id, speech);
  },
});

/** An event that travels in the call of another one. */
const JOINED: Attempt = { begin: () => undefined, abandon: () => undefined };

class Impossible implements Attempt {
  readonly #plan: AttemptPlan;
  readonly #user: AttemptUser;
  readonly #reason: string;

  constructor(plan: AttemptPlan, user: AttemptUser, reason: string) {
    this.#plan = plan;
    this.#user = user;
    this.#reason = reason;
  }

  begin(): void {
    this.#user.failed(this.#plan.id, { warning: 'noRoute', reason: this.#reason, onward: 'alternate' });
  }

  abandon(): void {}
}

/** User part of an address, its escapes taken back. */
export function plainUser(uri: string): string | undefined {
  const user = sipUserOf(uri);
  try {
    return user === undefined ? undefined : decodeURIComponent(user);
  } catch {
    return user;
  }
}

const identity = (user: string, remoteAddress: string): string => `${user} ${remoteAddress}`;

/** The caller that the receiver sees: our identity there, or the device's own number (provisioning document 2.3). */
export function arcFrom({ address, target, order }: AttemptPlan) {
  const { destination, ofDevice } = order.voice;
  const isShown = target.mapper?.useVoiceCallbackDestinationAsARCSipFrom === true;
  const own = isShown ? readAddressUser(destination ?? ofDevice ?? '')?.user : undefined;
  return own === undefined ? address.from : { ...address.from, user: own };
}

/** Headers that let us in at the receiver, and the number that it is shown. */
export function arcHeaders({ target }: Pick<AttemptPlan, 'target'>, domain: string) {
  const shown = target.mapper?.callerId;
  const address =
    shown === undefined ? undefined : /^[a-z][a-z-]*:/i.test(shown) ? shown : `sip:${shown}@${domain}`;
  return address === undefined
    ? target.headers
    : [...target.headers, ['P-Asserted-Identity', `<${address}>`] as const];
}
