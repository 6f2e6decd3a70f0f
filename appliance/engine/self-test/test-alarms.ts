import { ulid, uuid } from '#shared/id.ts';
import type { TestAlarmResult } from '#shared/self-test/index.ts';
import type { AlarmJournal } from '../../alarm/receiving/alarm-journal.ts';
import { type CallbackPorts, makeReplyId } from '../../delivery/callback/index.ts';
import { bridgeDestination, type DeliveryService } from '../../delivery/delivery-service.ts';
import type { DeliveryResult, JournalPorts, OutboxRow } from '../../delivery/outbox/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { ReplicatedBridge, TenantPorts } from '../../replica/index.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts;

export interface TestAlarmsDependencies {
  readonly delivery: Pick<
    DeliveryService,
    'row' | 'queued' | 'watch' | 'isInFlight' | 'withdraw' | 'dismiss'
  >;
  readonly file: Pick<AlarmJournal, 'compose'>;
}

/** A record has 15 s for its answer. */
const PATIENCE_MS = 18_000;
const MOST_APPLICATIONS = 8;
const CALLER = 'selftest';
const coded = (word: string) => ({ native: null, send: word, receive: word });

/**
 * A test alarm of this host to every application that alarm bridges name: through journal and outbox, as the record of an
 * alarm goes. The answer decides nothing, since no device waits for it.
 */
export class TestAlarms {
  readonly #ports: Ports;
  readonly #dependencies: TestAlarmsDependencies;
  readonly #timers: TimerScope<'patience'>;
  readonly #waiting = new Map<string, (outcome: TestAlarmResult['outcome']) => void>();

  constructor(ports: Ports, dependencies: TestAlarmsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((owner) =>
      this.#waiting.get(owner)?.({ kind: 'waiting', waitedMs: PATIENCE_MS }),
    );
  }

  /** One for each address that callbacks of alarms go to; empty: none is provisioned. */
  send(): Promise<readonly TestAlarmResult[]> {
    const addresses = new Map<string, ReplicatedBridge>();
    for (const bridge of this.#ports.tenant().bridges) {
      const { callbackBaseUrl: url } = bridge;
      if (url !== undefined && !addresses.has(url) && addresses.size < MOST_APPLICATIONS)
        addresses.set(url, bridge);
    }
    return Promise.all(
      [...addresses].map(async ([url, bridge]) => ({
        bridge: bridge.name,
        host: URL.canParse(url) ? new URL(url).host : url,
        outcome: await this.#sent(bridge),
      })),
    );
  }

  async #sent(bridge: ReplicatedBridge): Promise<TestAlarmResult['outcome']> {
    const row = this.#row(bridge);
    if (row === undefined) return { kind: 'dropped' };
    const { journal, log, clock } = this.#ports;
    log('info', 'test_alarm.started', 'Started a test alarm', { id: row.id, bridge: bridge.name });
    try {
      await journal.commit([{ kind: 'outbox', row }]);
    } catch (cause) {
      return { kind: 'notStored', reason: cause instanceof Error ? cause.message : String(cause) };
    }
    const beganMs = clock.monoMs();
    const done = Promise.withResolvers<TestAlarmResult['outcome']>();
    this.#waiting.set(row.id, done.resolve);
    this.#timers.start(row.id, 'patience', beganMs + PATIENCE_MS);
    this.#dependencies.delivery.watch(row.id, (result) =>
      done.resolve(outcomeOf(result, clock.monoMs() - beganMs)),
    );
    this.#dependencies.delivery.queued(row);
    const outcome = await done.promise;
    this.#timers.stop(row.id, 'patience');
    this.#waiting.delete(row.id);
    if (outcome.kind === 'delivered') this.#dependencies.delivery.watch(row.id, undefined);
    else this.#withdraw(row);
    return outcome;
  }

  /** One that is under way right now is withdrawn when its attempt has ended. */
  #withdraw(row: OutboxRow): void {
    const { delivery } = this.#dependencies;
    delivery.watch(row.id, delivery.isInFlight(row.id) ? () => this.#withdraw(row) : undefined);
    delivery.withdraw(new Set([row.id]));
    this.#ports.run(this.#ports.journal.commit([delivery.dismiss(row)]));
  }

  #row(bridge: ReplicatedBridge): OutboxRow | undefined {
    const { clock, random, place, tenant, signReply } = this.#ports;
    const wallMs = clock.wallMs();
    const sessionId = ulid(wallMs, random(10));
    const traceId = uuid(random(16));
    const { domain } = tenant();
    const { siteId, siteBaseUrl, hostId, epoch, address } = place;
    const iat = Math.floor(wallMs / 1_000);
    const claims = { domain, host: hostId, epoch, session: sessionId, refers: 'alarm', iat };
    const call = this.#dependencies.file.compose(
      {
        ...{ sessionId, traceId, domain, siteId, siteBaseUrl },
        protocol: bridge.protocol,
        ivrServer: address,
        customerSiteId: bridge.customerSiteId,
        sipFrom: CALLER,
        calledParty: bridge.name,
        event: {
          controllerId: hostId,
          deviceType: coded('systemMonitor'),
          statusCode: coded('alarmTest'),
          audio: 'none',
          priority: 0,
        },
        source: {
          protocol: bridge.protocol,
          raw: `self-test of ${hostId}`,
          fields: { selfTest: true, hostId, at: new Date(wallMs).toISOString() },
          check: { policy: 'ignore', result: 'none' },
          warnings: [],
        },
        replyId: makeReplyId(claims, signReply),
        eventSeq: 1,
      },
      bridge,
    );
    if (call === undefined) return undefined;
    return this.#dependencies.delivery.row({
      lane: 'alarm',
      dest: bridgeDestination(bridge.id),
      orderKey: sessionId,
      type: 'newAlarmbridgeEvent',
      call,
      state: 'new',
      late: false,
    });
  }
}

function outcomeOf(result: DeliveryResult, ms: number): TestAlarmResult['outcome'] {
  if (result.kind === 'delivered') return { kind: 'delivered', ms };
  if (result.kind === 'refused') return { kind: 'refused', status: result.status };
  return { kind: 'unreached', reason: result.reason };
}
