import { type Bs8521Fields, encodeBs8521 } from '#shared/alarm-event/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { atmTime, decodeAtm, encodeAtm, meaningOf, NOWIP_PROFILE } from '../../alarm/protocol/nowip/index.ts';

/** How a simulated controller takes commands: it does them, does not have them, or says nothing. */
export type NowIpBehaviour = 'confirms' | 'rejects' | 'silent';

/** The reaction of the unit to a message: the answer to send, and the events. */
export interface NowIpReaction {
  readonly answer?: string;
  readonly text: string;
  readonly event: 'acknowledged' | 'command' | 'cleared' | 'none';
}

/** A NOW-IP controller with one unit: says its alarm or sign of life, and answers what a centre asks (BS 8521-2). */
export class NowIpUnit {
  readonly #fields: Bs8521Fields;
  readonly #behaviour: NowIpBehaviour;
  readonly #wallMs: () => number;

  private constructor(fields: Bs8521Fields, behaviour: NowIpBehaviour, wallMs: () => number) {
    this.#fields = fields;
    this.#behaviour = behaviour;
    this.#wallMs = wallMs;
  }

  /** `notExpressible`: the identity is not 8 digits of a controller and 4 of a unit, or the event not 3 digits. */
  static of(
    identity: string,
    event: string,
    behaviour: NowIpBehaviour,
    wallMs: () => number,
  ): Result<NowIpUnit> {
    if (!/^\d{12}$/.test(identity))
      return fail(
        'notExpressible',
        `${identity} is no identity: 8 digits of the controller and 4 of the unit`,
      );
    if (!/^\d{3}$/.test(event))
      return fail('notExpressible', `${event} is no event: 3 digits, 010 is the button`);
    const fields: Bs8521Fields = {
      systemConfig: '0',
      speechType: '1',
      conformance: '00',
      controllerId: identity.slice(0, 8),
      unitId: identity.slice(8),
      event,
      location: '00',
      priority: '0',
      status: '00',
    };
    return ok(new NowIpUnit(fields, behaviour, wallMs));
  }

  alarm(): string {
    return this.#written('1', encodeBs8521(this.#fields));
  }

  heartbeat(): string {
    return this.#written('0', `${this.#fields.controllerId}${this.#fields.unitId}`);
  }

  onMessage(body: Uint8Array | string): NowIpReaction {
    const atm = decodeAtm(body);
    const meaning = atm.ok ? meaningOf(atm.value) : atm;
    if (!atm.ok || !meaning.ok)
      return { text: 'is told something that is no message of NOW-IP', event: 'none' };
    const { data } = atm.value;
    if (meaning.value.kind === 'acknowledge')
      return { text: 'is acknowledged (type A)', event: 'acknowledged' };
    if (meaning.value.kind !== 'command') return { text: `is told ${atm.value.type} ${data}`, event: 'none' };
    const { command } = meaning.value;
    const text = `is told to do ${command.kind} (${data})`;
    if (this.#behaviour === 'silent') return { text: `${text}, and says nothing`, event: 'none' };
    if (this.#behaviour === 'rejects' && command.kind !== 'clearDown')
      return { text: `${text}, and does not have it`, answer: this.#written('5', data), event: 'command' };
    const { unitId, event, location, priority, status } = this.#fields;
    // No other unit waits: the scheme is one unit.
    const digits =
      command.kind === 'selectUnit'
        ? `${unitId}${event}${location}${priority}${status}`
        : command.kind === 'nextOutstanding'
          ? '000000000000'
          : command.kind === 'clear'
            ? '000000'
            : undefined;
    return {
      text: `${text}, and does it`,
      answer: digits === undefined ? this.#written('A', '') : this.#written('7', digits),
      event: command.kind === 'clearDown' ? 'cleared' : 'command',
    };
  }

  #written(type: string, data: string): string {
    const { version, mac, emptyText } = NOWIP_PROFILE;
    return encodeAtm({ version, type, data, time: atmTime(this.#wallMs()), mac }, emptyText);
  }
}
