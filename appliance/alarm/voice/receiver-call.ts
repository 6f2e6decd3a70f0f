import { Listeners } from '#shared/listeners.ts';
import { type ActiveCall, type FoundTargets, type Towards, towardsAll } from '../../call/control/index.ts';
import { type CallProgress, isCutOff } from '../../call/session/index.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { LegId, MediaEvent } from '../../media/control/index.ts';
import type { ReceiverBridge } from '../receiver/index.ts';
import type { DeviceCall, DeviceCallHandler, DeviceCallUser } from './device-call.ts';

/** Facts of the INVITE to a receiver, besides its call. */
export interface ReceiverCallInfo {
  readonly bridge: ReceiverBridge;
  readonly fromUser: string;
  readonly calledParty: string;
  readonly sourceIp: string;
  readonly deviceId: string | undefined;
  readonly trunkId?: string | undefined;
  /** A secret or a trunk stands behind it. */
  readonly isProven: boolean;
}

export interface ReceiverCallDependencies {
  /** Everybody a destination leads to. */
  readonly targets: (destination: string) => FoundTargets;
  /** Runs what this call wants done when the input before it is done. */
  readonly turn: (work: () => void) => void;
}

/** The call of a device to an alarm bridge: a call like any other, whose caller stays when its peer has left. */
export class ReceiverCall implements DeviceCall {
  readonly #call: ActiveCall;
  readonly #facts: ReceiverCallInfo;
  readonly #dependencies: ReceiverCallDependencies;
  readonly leg: LegId;
  side: DeviceCall['side'] = 'caller';
  peerAddress: string | undefined;
  readonly said: DeviceCall['said'] = new Listeners();
  readonly alarm: DeviceCall['alarm'] = new Listeners();
  #user: DeviceCallUser | undefined;
  /** Audio of people who were called for its alarm by calls of their own. */
  #other: LegId | undefined;
  /** Audio of those who have answered last. */
  #people: LegId = '';

  constructor(call: ActiveCall, facts: ReceiverCallInfo, dependencies: ReceiverCallDependencies) {
    this.#call = call;
    this.#facts = facts;
    this.#dependencies = dependencies;
    this.leg = call.session.party;
  }

  /** Hands the call to those who take its alarm; `answered`: it is a call of ours, and the device is on the line. */
  begin(handler: DeviceCallHandler, answered = false): void {
    this.#call.watchedBy({
      onProgress: (progress) => this.#onProgress(progress),
      onMedia: (event) => this.#media(event),
    });
    if (answered) this.side = 'callee';
    this.#user = handler.incoming(this);
    if (answered) this.#user.answered();
  }

  get id(): string {
    return this.#call.id;
  }

  get bridge(): ReceiverBridge {
    return this.#facts.bridge;
  }

  get fromUser(): string {
    return this.#facts.fromUser;
  }

  get calledParty(): string {
    return this.#facts.calledParty;
  }

  get sourceIp(): string {
    return this.#facts.sourceIp;
  }

  get deviceId(): string | undefined {
    return this.#facts.deviceId;
  }

  get isProven(): boolean {
    return this.#facts.isProven;
  }

  get trunkId(): string | undefined {
    return this.#facts.trunkId;
  }

  get peer(): LegId | undefined {
    return this.#call.session.peer ?? this.#other;
  }

  get trace(): SessionTrace {
    return this.#call.trace;
  }

  answer(): void {
    this.#dependencies.turn(() => this.#call.input({ kind: 'attend' }));
  }

  refuse(status: number): void {
    this.#dependencies.turn(() => this.#call.input({ kind: 'refuse', status }));
  }

  hangUp(text: string): void {
    const reason = { protocol: 'SIP', cause: 200, text } as const;
    this.#dependencies.turn(() => this.#call.input({ kind: 'hangUp', reason }));
  }

  connect(destination: string, towards?: Towards): void {
    this.peerAddress = destination;
    this.#dependencies.turn(() => {
      const { groups, unreached } = this.#dependencies.targets(destination);
      this.#call.input({ kind: 'dial', groups: this.#call.named(towardsAll(towards, groups)), unreached });
    });
  }

  joinedWith(leg: LegId, address: string): void {
    this.#other = leg;
    this.peerAddress = address;
    this.#user?.joined();
  }

  #onProgress(progress: CallProgress): void {
    if (progress.kind === 'attended') this.#user?.answered();
    else if (progress.kind === 'joined') {
      this.#people = progress.leg;
      this.#user?.joined();
    } else if (progress.kind === 'left')
      this.#user?.left(progress.reason.text, progress.hasHungUp && this.#wasAudible);
    else if (progress.kind === 'over') this.#user?.ended(progress.reason.text, isCutOff(progress.reason));
  }

  /** Chosen: a person whose audio never came has not spoken, and hanging up says nothing about the alarm. */
  get #wasAudible(): boolean {
    const { audibleLegs, plan } = this.#call;
    return plan.straight || audibleLegs.has(this.#people);
  }

  #media(event: MediaEvent): void {
    if ('leg' in event && event.leg === this.leg) this.#user?.mediaEvent(event);
  }
}
