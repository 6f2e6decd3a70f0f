import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { type Line, type LineUser, type OpenTelephone, openTelephone } from '#appliance/simulator/index.ts';
import type { Site } from '#test/support/site.ts';
import type { PersonCall } from './people-history.ts';

/** Password of the telephones of the demo tenant. */
const PASSWORD = 'for telephones';
/** A callee listens from the ACK on. */
const BEFORE_KEYS_MS = 600;
const KEY = { onMs: 120, offMs: 120 };

/** Keys of a person who is called for an alarm, one group after the other; an empty one: the person hangs up. */
export type Reaction = readonly string[];

/** A call that is not over has no end yet. */
type Running = { -readonly [Fact in keyof PersonCall]: PersonCall[Fact] };

/** People with real telephones, who outlive the appliance. */
export class Persons {
  readonly calls: Running[] = [];
  readonly #react: (alarm: string) => Reaction;
  readonly #phones: OpenTelephone[] = [];
  readonly #running = new Set<Running>();
  /** Life of the appliance, counted from 1. */
  life = 1;

  constructor(react: (alarm: string) => Reaction) {
    this.#react = react;
  }

  /** A telephone of the tenant, registered once: the appliance knows it after each start. */
  async add(site: Site, user: string): Promise<void> {
    const phone = await openTelephone({
      ...{ to: site.sip, transport: 'udp', domain: site.domain, user, password: PASSWORD },
      policy: { ...ALARM_POLICY, srtp: 'never' },
    });
    this.#phones.push(phone);
    const registered = await phone.telephone.register(3_600);
    if (!registered.ok) throw new Error(registered.error.reason);
    phone.telephone.takeCallsBy((alarm) => this.#called(phone, user, alarm));
  }

  /** The appliance is dead: people put their receivers down. */
  dropCalls(): void {
    for (const { telephone } of this.#phones) telephone.hangUp();
    for (const call of this.#running) this.#over(call);
  }

  async close(): Promise<void> {
    await Promise.all(this.#phones.map((phone) => phone.close()));
  }

  #called({ media }: OpenTelephone, person: string, alarm: string): LineUser {
    const fromMs = performance.now();
    const call: Running = { alarm, person, life: this.life, fromMs, toMs: Number.POSITIVE_INFINITY };
    this.calls.push(call);
    this.#running.add(call);
    const reaction = this.#react(alarm);
    const press = (line: Line, group: number): void => {
      const digits = reaction[group];
      if (digits === undefined || !this.#running.has(call)) return;
      if (digits === '') {
        line.hangUp();
        return;
      }
      const phrases = [{ kind: 'digits', digits, ...KEY } as const];
      void media.play(line.name, `keys ${group}`, { phrases, over: 'instead' });
      setTimeout(() => press(line, group + 1), BEFORE_KEYS_MS * 2);
    };
    return {
      answered: (line) => void setTimeout(() => press(line, 0), BEFORE_KEYS_MS),
      ended: () => this.#over(call),
    };
  }

  #over(call: Running): void {
    if (this.#running.delete(call)) call.toMs = performance.now();
  }
}
