import { type AlarmEvent, decodeBs8521 } from '#shared/alarm-event/index.ts';
import type { ReplicatedAlarmEventMapper } from '#shared/contract/provisioning/index.ts';
import { uuid } from '#shared/id.ts';
import type { TestAlarmResult } from '#shared/self-test/index.ts';
import { shapedIdentity } from '../../alarm/sender/index.ts';
import {
  type AlarmSending,
  type FormProfiles,
  identityOf,
  nativeForm,
  type SendOrder,
  targetOf,
} from '../../alarm/sending/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts;

export interface TestSendingsDependencies {
  readonly sending: Pick<AlarmSending['sessions'], 'accept' | 'cancel' | 'settled'>;
  readonly profiles: FormProfiles;
}

type Outcome = TestAlarmResult['outcome'];

/** A receiver that is there answers in a second or two; whoever asks for this test waits half a minute. */
const PATIENCE_MS = 18_000;
const MOST_RECEIVERS = 8;
const CALLER = 'selftest';
/** Protocols that place a call: a person may answer, and nothing can say before it rings that this is a test. */
const BY_CALL: readonly string[] = ['bs8521', 'tt92', 'ttnew', 'voicecall'];
const coded = (word: string) => ({ native: null, send: word, receive: word });

/**
 * A test alarm of this host to every receiver that event senders name, in its own protocol and by the same engine that sends
 * alarms on: stored, said, acknowledged. It goes where the protocol has a word for a test call (SCAIP 0102, event 058 of BS
 * 8521, RP of SIA, 602 of Contact ID) and nowhere else.
 */
export class TestSendings {
  readonly #ports: Ports;
  readonly #dependencies: TestSendingsDependencies;
  readonly #timers: TimerScope<'patience'>;
  readonly #waiting = new Map<string, (outcome: Outcome) => void>();

  constructor(ports: Ports, dependencies: TestSendingsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((owner) =>
      this.#waiting.get(owner)?.({ kind: 'waiting', waitedMs: PATIENCE_MS }),
    );
    dependencies.sending.settled.add((facts, outcome) => {
      if (facts.order.selfTest !== true) return;
      const onOutcome = this.#waiting.get(facts.traceId);
      if (outcome.kind === 'failed') onOutcome?.({ kind: 'notTaken', reason: outcome.reason });
      else onOutcome?.({ kind: 'delivered', ms: ports.clock.wallMs() - facts.createdMs });
    });
  }

  /** One for each receiver; empty: no event sender sends alarms on. */
  send(): Promise<readonly TestAlarmResult[]> {
    const senders = this.#ports
      .tenant()
      .mappers.filter(({ alarmHandling, targetEndpoint }) => alarmHandling === 'forward' && targetEndpoint);
    return Promise.all(
      senders.slice(0, MOST_RECEIVERS).map(async (mapper) => ({
        bridge: mapper.name,
        host: mapper.targetEndpoint?.protocol ?? '',
        outcome: await this.#sent(mapper),
      })),
    );
  }

  async #sent(mapper: ReplicatedAlarmEventMapper): Promise<Outcome> {
    const order = this.#order(mapper);
    const cannot = this.#obstacle(order);
    if (cannot !== undefined) return cannot;
    const { random, clock, log } = this.#ports;
    const traceId = uuid(random(16));
    const done = Promise.withResolvers<Outcome>();
    this.#waiting.set(traceId, done.resolve);
    log('info', 'test_sending.started', 'Started a test alarm to a receiver', {
      traceId,
      sender: mapper.name,
    });
    const taken = await this.#dependencies.sending.accept(order, { traceId });
    if (taken.ok) this.#timers.start(traceId, 'patience', clock.monoMs() + PATIENCE_MS);
    else done.resolve({ kind: 'notStored', reason: taken.error.reason });
    const outcome = await done.promise;
    this.#timers.stop(traceId, 'patience');
    this.#waiting.delete(traceId);
    // It must not arrive when no caller waits for it any more.
    if (taken.ok && outcome.kind === 'waiting')
      this.#dependencies.sending.cancel(taken.value.sessionId, 'the self-test is over');
    return outcome;
  }

  #order(mapper: ReplicatedAlarmEventMapper): SendOrder {
    const { hostId } = this.#ports.place;
    const endpoint = mapper.targetEndpoint;
    const isScaip = endpoint?.protocol === 'scaip' || endpoint?.protocol === 'callback';
    const event: AlarmEvent = {
      // NOW-IP and DC-09 know numbers only.
      controllerId: isScaip ? hostId : hostId.replaceAll(/\D/g, '').slice(-8) || '0',
      deviceType: coded('systemMonitor'),
      statusCode: coded('alarmTest'),
      audio: 'none',
      priority: 0,
    };
    return {
      event: shapedIdentity(event, identityOf(mapper)),
      mapperId: mapper.id,
      callingParty: CALLER,
      voice: { transparent: false, tones: { towardsReceiver: 'inaudio', towardsDevice: 'inaudio' } },
      selfTest: true,
    };
  }

  /** Why no test can be said to this receiver. */
  #obstacle(order: SendOrder): Outcome | undefined {
    const target = targetOf(order, this.#ports.tenant());
    if (!target.ok) return { kind: 'notTaken', reason: target.error.reason };
    const { protocol, mapper } = target.value;
    if (BY_CALL.includes(protocol)) return { kind: 'byCall' };
    const endpoint = mapper?.targetEndpoint;
    const account = endpoint !== undefined && 'dc09' in endpoint ? endpoint.dc09?.account : undefined;
    // Under an unassigned number it would be the alarm of an unknown house.
    if (['sia-dcs', 'adm-cid'].includes(protocol) && account === undefined)
      return { kind: 'unmarked', reason: 'its event sender names no account (dc09.account)' };
    const form = nativeForm(
      target.value,
      order,
      { ref: '', sequence: '0000', atMs: 0 },
      this.#dependencies.profiles,
    );
    if (!form.ok) return { kind: 'unmarked', reason: form.error.reason };
    return saysTest(form.value)
      ? undefined
      : { kind: 'unmarked', reason: 'its code table makes an alarm of a test' };
  }
}

type Form = Extract<ReturnType<typeof nativeForm>, { ok: true }>['value'];

function saysTest(form: Form): boolean {
  switch (form.kind) {
    case 'scaip':
      return ['0102', '0103'].includes(form.form.stc ?? '');
    case 'nowip': {
      const read = decodeBs8521(form.form.data);
      return read.ok && read.value.event === '058';
    }
    case 'dc09':
      return /\b(?:RP|RX|RY)|\b[13]60[128]\b/.test(form.said.data.replace(/^.*\|/, ''));
    case 'callback':
      return true;
    default:
      return false;
  }
}
