import type { Dc09Said, Outgoing, SendSetting } from '../../protocol/dc09/index.ts';
import type { SendTarget } from '../order/send-target.ts';
import type { Attempt, AttemptPlan, AttemptUser } from './attempt.ts';
import { type FrameDestination, type FrameLines, frameDestination } from './frame-line.ts';

type Dc09Target = NonNullable<ReturnType<typeof dc09Of>>;

/** One DC-09 or DC-07 frame on one way. */
export class FrameAttempt implements Attempt {
  readonly plan: AttemptPlan;
  readonly #said: Dc09Said;
  readonly #user: AttemptUser;
  readonly #lines: FrameLines;
  /** Waits and tries of the profile that the event sender names. */
  readonly #setting: SendSetting | undefined;
  readonly #isDc07: boolean;
  #giveUp: () => void = () => {};

  constructor(
    plan: AttemptPlan,
    said: Dc09Said,
    user: AttemptUser,
    lines: FrameLines,
    { setting, isDc07 = false }: { readonly setting?: SendSetting; readonly isDc07?: boolean } = {},
  ) {
    this.plan = plan;
    this.#said = said;
    this.#user = user;
    this.#lines = lines;
    this.#setting = setting;
    this.#isDc07 = isDc07;
  }

  begin(): void {
    const { id, target, address, reference, trace } = this.plan;
    const said = { ...this.#said, sequence: reference.sequence };
    const { to, outgoing } = frameFor(target, address.destination, said, this.#isDc07);
    trace.add('alarmSending', {
      protocol: target.protocol,
      destination: address.destination,
      sequence: reference.sequence,
    });
    const { destination } = address;
    const shownMs = reference.shownMs?.[destination];
    this.#giveUp = this.#lines.send(
      to,
      outgoing,
      {
        atMs: reference.atMs,
        ...(shownMs !== undefined && { shownMs }),
        padding: Buffer.from(reference.ref, 'latin1'),
        keep: (timeMs) => this.#user.shows(destination, timeMs),
      },
      (outcome) => {
        if (outcome.kind === 'done') {
          this.#user.signOfLife(true, '');
          this.#user.acknowledged(id, alarmString(outgoing), `${to.transport} ${address.destination}`);
          this.#user.speech(id, { kind: 'none' });
        } else {
          const { warning, reason } = outcome;
          this.#user.signOfLife(warning !== 'noAnswer' && warning !== 'noRoute', reason);
          this.#user.failed(id, { warning, reason, onward: 'alternate' });
        }
        this.#user.done();
      },
      this.#setting,
    );
  }

  abandon(): void {
    this.#giveUp();
  }
}

/** The frame as people read it: without key, time and check. */
const alarmString = ({ token, sequence, receiver, line, account, data }: Outgoing): string =>
  `"${token}"${sequence}${receiver === undefined ? '' : `R${receiver}`}L${line}#${account}[${data}]`;

/** Where a frame of this target goes and what surrounds it. DC-07, to software: over TCP only and never encrypted. */
export function frameFor(
  target: SendTarget,
  destination: string,
  said: Pick<Outgoing, 'token' | 'account' | 'data' | 'sequence' | 'xdata'>,
  isDc07 = false,
): { readonly to: FrameDestination; readonly outgoing: Outgoing } {
  const dc09: Partial<Dc09Target> = dc09Of(target) ?? {};
  return {
    to: frameDestination(destination, isDc07 ? 'tcp' : (dc09.transport ?? 'tcp')),
    outgoing: {
      ...said,
      line: dc09.line ?? '0',
      ...(dc09.receiver !== undefined && { receiver: dc09.receiver }),
      ...(dc09.key !== undefined && !isDc07 && { key: Buffer.from(dc09.key, 'hex') }),
    },
  };
}

export function dc09Of({ mapper }: SendTarget) {
  const endpoint = mapper?.targetEndpoint;
  return endpoint !== undefined && 'dc09' in endpoint ? endpoint.dc09 : undefined;
}
