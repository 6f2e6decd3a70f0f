import type { QueuePorts } from '../delivery/command-queue.ts';
import type { JournalPorts, JournalWrite } from '../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../delivery/platform-alarms.ts';
import type { TraceWriteBehind } from '../delivery/trace-write-behind.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantPorts } from '../replica/index.ts';
import type { Account } from '../sip/auth/index.ts';
import type { Flow, ServerTransaction } from '../sip/endpoint/index.ts';
import type { SipRequest } from '../sip/message/index.ts';
import {
  type Binding,
  type Change,
  heldSince,
  holderOf,
  isStale,
  Registrar,
  readRegistration,
  registeredFields,
} from '../sip/registrar/index.ts';
import type { Contact } from './device-place.ts';
import { ForeignRegistrations } from './foreign-registration.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & QueuePorts;

const EXPIRY_CHECK_MS = 1_000;
/** Chosen: a clock that differs by more than this from the one a moment before was set, ms; less is its correction in small steps. */
const CLOCK_SET_MS = 10_000;
/** Seconds after which a device may find a place again that others hold now. */
const FULL_RETRY_S = 300;

/** The registrations of one device; times are epoch ms, newest contact first. */
export interface RegistrationView {
  readonly registered: boolean;
  readonly contacts: readonly {
    readonly uri: string;
    /** Undefined: its connection is closed, only the contact is left. */
    readonly transport: Flow['transport'] | undefined;
    readonly userAgent: string;
    readonly registeredAtMs: number;
    readonly expiresAtMs: number;
  }[];
}

/** Where devices can be reached: the registrar with its durable rows. */
export class Registrations {
  readonly #ports: Ports;
  readonly #pages: TraceWriteBehind;
  readonly #alarms: Pick<PlatformAlarms, 'raise'>;
  readonly #registrar: Registrar;
  readonly #foreign = new ForeignRegistrations();
  readonly #timers: TimerScope<'expire'>;
  #isExpiring = false;
  /** The wall clock less the monotonic one at the last look, ms. */
  #offsetMs: number | undefined;

  constructor(ports: Ports, pages: TraceWriteBehind, alarms: Pick<PlatformAlarms, 'raise'>) {
    this.#ports = ports;
    this.#pages = pages;
    this.#alarms = alarms;
    this.#registrar = new Registrar({}, (aor) => this.#hasSecret(aor));
    this.#timers = ports.timers.scope(() => this.#expire());
  }

  get size(): number {
    return this.#registrar.size;
  }

  restore(): void {
    this.#wallMs();
    const { journal, log } = this.#ports;
    const bindings = journal.bindings().flatMap(({ aor, body }) => {
      const binding = readBinding(body);
      if (binding === undefined)
        log('error', 'registration.read_failed', 'Could not read a stored registration', {
          aor,
          reason: 'its text is no binding of this version',
        });
      return binding ?? [];
    });
    this.#store(this.#registrar.restore(bindings));
  }

  register(
    arrival: {
      readonly request: SipRequest;
      readonly server: ServerTransaction;
      readonly flow: Flow;
      readonly nowMs: number;
    },
    account: Account,
  ): void {
    const { request, server, flow, nowMs } = arrival;
    const proven = isProof(account.authType);
    const wanted = readRegistration(request, this.#aor(account.deviceId), flow, proven);
    if (!wanted.ok) {
      server.respond({ status: 400, reason: wanted.error.reason }, nowMs);
      return;
    }
    const wallMs = this.#wallMs();
    const registered = this.#registrar.register(wanted.value, wallMs);
    if (registered.outcome === 'tooBrief') {
      server.respond({ status: 423, headers: [['Min-Expires', String(registered.minExpires)]] }, nowMs);
    } else if (registered.outcome === 'outOfOrder')
      server.respond({ status: 500, reason: 'Out of Order' }, nowMs);
    else if (registered.outcome === 'full')
      server.respond({ status: 503, headers: [['Retry-After', String(FULL_RETRY_S)]] }, nowMs);
    else {
      this.#store(registered.changes);
      server.respond(
        { status: 200, headers: registeredFields(registered.bindings, wanted.value, wallMs) },
        nowMs,
      );
    }
    if ('others' in registered && registered.others.length > 0)
      this.#tell(arrival, account, registered.others);
  }

  /** Every contact of a device, the one to try first in front. */
  contactsOf(deviceId: string): readonly Contact[] {
    return this.#contacts(this.#registrar.lookup(this.#aor(deviceId), this.#wallMs()));
  }

  /**
   * Contacts of a device that an answer to this address may go to: what a secret has proven, then what the address holds.
   * Others may be a stranger's, or stand where the device was before its address changed.
   */
  answering(deviceId: string, address: string): readonly Contact[] {
    const aor = this.#aor(deviceId);
    return this.#contacts(this.#registrar.answering(aor, address, this.#wallMs()));
  }

  /** Is a device there, and since when, how and until when. */
  online(deviceId: string): RegistrationView {
    const bindings = this.#registrar.bindings(this.#aor(deviceId), this.#wallMs());
    const contacts = bindings.map(({ contact, flow, userAgent, registeredAtMs, expiresAtMs }) => ({
      uri: contact,
      transport: flow?.transport,
      userAgent,
      registeredAtMs,
      expiresAtMs,
    }));
    return { registered: contacts.length > 0, contacts };
  }

  /** Ids of registered devices in which `match` stands, at most `limit` of them, and whether there are more. */
  matching(match: string, limit: number): { readonly deviceIds: readonly string[]; readonly more: boolean } {
    const deviceIds: string[] = [];
    const tail = this.#aor('');
    for (const aor of this.#registrar.aors()) {
      const deviceId = aor.endsWith(tail) ? aor.slice(0, -tail.length) : aor;
      if (!deviceId.includes(match) || !this.online(deviceId).registered) continue;
      if (deviceIds.length === limit) return { deviceIds, more: true };
      deviceIds.push(deviceId);
    }
    return { deviceIds, more: false };
  }

  /** @returns whether a binding uses this connection */
  uses({ connection }: Flow): boolean {
    return this.#registrar.uses(connection, this.#wallMs());
  }

  connectionClosed(flow: Flow): void {
    this.#store(this.#registrar.flowClosed(flow.connection));
  }

  #expire(): void {
    this.#isExpiring = false;
    this.#store(this.#registrar.expire(this.#wallMs()));
  }

  /**
   * Wall clock, epoch ms. Rows outlive the process, so they have its times; when it is set, the registrar is informed first: a clock
   * that is set ahead must not end the registrations of all devices, which are called by them.
   */
  #wallMs(): number {
    const { clock } = this.#ports;
    const wallMs = clock.wallMs();
    const offsetMs = wallMs - clock.monoMs();
    const stepMs = offsetMs - (this.#offsetMs ?? offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(stepMs) > CLOCK_SET_MS) this.#registrar.clockSet(stepMs, wallMs);
    return wallMs;
  }

  /** Bindings end by the wall clock, which may be set: the registrar looks every second, as long as it holds one. */
  #awaitExpiry(): void {
    if (this.#isExpiring || this.#registrar.size === 0) return;
    this.#isExpiring = true;
    this.#timers.start('bindings', 'expire', this.#ports.clock.monoMs() + EXPIRY_CHECK_MS);
  }

  /** A sender without a secret registers while other addresses hold bindings of the device: a person is notified. */
  #tell(
    { request, flow, nowMs }: { readonly request: SipRequest; readonly flow: Flow; readonly nowMs: number },
    { deviceId }: Account,
    others: readonly Binding[],
  ): void {
    const sourceIp = flow.remoteAddress;
    const heldBy = [...new Set(others.map(holderOf))].join(', ');
    this.#ports.log(
      'debug',
      'registration.bindings_left',
      'Left the bindings of another address unchanged: a REGISTER had no secret',
      {
        deviceId,
        sourceIp,
        heldBy,
      },
    );
    const verdict = this.#foreign.report(deviceId, nowMs);
    if (verdict === undefined) return;
    const reason =
      verdict === 'each' ? HELD_ELSEWHERE : `${HELD_ELSEWHERE}, further devices are not told of for an hour`;
    const { method, uriText: requestUri } = request;
    const { domain } = this.#ports.tenant();
    this.#alarms.raise({ type: 'authError', deviceId, reason, method, requestUri, sourceIp });
    this.#ports.queue?.tell('alarm', { event: 'authError', domain, deviceId, reason, method, requestUri });
  }

  #hasSecret(aor: string): boolean {
    const authType = this.#ports.tenant().byId(aor.slice(0, -this.#aor('').length))?.authType;
    return authType !== undefined && isProof(authType);
  }

  #contacts(bindings: readonly Binding[]): readonly Contact[] {
    return bindings.map((each) => {
      const contact = this.#contact(each);
      return isStale(each, bindings) ? { ...contact, isStale: true } : contact;
    });
  }

  #contact(binding: Binding): Contact {
    const { contact, flow, path } = binding;
    // Kept in brackets, as a route is written.
    const hop = path[0]?.slice(1, -1) ?? contact;
    const proven = this.#registrar.isProven(binding);
    const [source, sinceMs] = [holderOf(binding), heldSince(binding)];
    return { uri: contact, flow: flow ?? undefined, path, hop, proven, source, sinceMs };
  }

  #aor(deviceId: string): string {
    return `${deviceId}@${this.#ports.tenant().domain}`;
  }

  #store(changes: readonly Change[]): void {
    this.#awaitExpiry();
    if (changes.length === 0) return;
    const tenant = this.#ports.tenant().domain;
    const writes = changes.map(({ kind, binding }): JournalWrite => {
      const { aor, key: contact } = binding;
      if (kind === 'removed') return { kind: 'bindingGone', tenant, aor, contact };
      const row = { tenant, aor, contact, expiresMs: binding.expiresAtMs, body: JSON.stringify(binding) };
      return { kind: 'binding', row };
    });
    // A quarter of a second of registrations shares a commit: when thousands return at once, this is half of their cost.
    this.#pages.add(writes);
  }
}

/** A row that cannot be read costs one device its next REGISTER, and does not stop the start. */
function readBinding(body: string): Binding | undefined {
  try {
    return JSON.parse(body) as Binding;
  } catch {
    return undefined;
  }
}

/** As the tenant reads it in `authError`. */
const HELD_ELSEWHERE = 'heldByAnotherAddress';

/** Does a device of this kind show a secret when it registers and speaks? */
export const isProof = (authType: Account['authType']): boolean =>
  authType === 'credentials' || authType === 'userid';
