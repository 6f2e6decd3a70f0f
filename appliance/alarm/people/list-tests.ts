import type { CallListTest, CallListTestState } from '#shared/contract/alarm-queue/index.ts';
import { uuid } from '#shared/id.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { CallControl } from '../../call/control/index.ts';
import type { Sound } from '../../call/sound/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { SessionTrace, type TraceSink } from '../../kernel/session-trace.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { ReplicatedBridge, TenantPorts } from '../../replica/index.ts';
import {
  beginTest,
  type CallEntry,
  type ListTest,
  stepTest,
  type TestEffect,
  type TestInput,
} from '../emergency-list/index.ts';
import { callPlanOf } from '../receiver/index.ts';
import { CalleeCall } from './callee-call.ts';
import { calleeOrigin, calleePlan, calleeRefusal } from './callee-place.ts';
import { LineEvidence } from './line-evidence.ts';
import type { GuardedCall } from './loop-guard.ts';
import type { PeopleOfAlarms } from './people-calls.ts';
import { sentenceText } from './sentence-text.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & MediaPorts;

interface Dependencies {
  readonly calls: CallControl;
  readonly alarms: Pick<PlatformAlarms, 'raise'>;
  readonly people: Pick<PeopleOfAlarms, 'legs' | 'loops' | 'dialled'>;
  readonly pages: TraceSink;
  /** Absent: tones stand for sentences. */
  readonly sound: Pick<Sound, 'play'> | undefined;
}

/** `Chosen:` tests at once: they leave the trunks to alarms. */
const MOST_TESTS = 2;
/** `Chosen:` results kept for the control plane, which asks every minute. */
const MOST_RESULTS = 200;
const NO_WORDS = { device: '', site: undefined, status: '', location: undefined };

interface Running {
  readonly key: string;
  readonly asked: CallListTest;
  readonly bridge: ReplicatedBridge | undefined;
  readonly callees: Map<number, { readonly callee: CalleeCall; readonly guarded: GuardedCall | undefined }>;
  readonly trace: SessionTrace;
  test: ListTest;
}

/**
 * Test calls of emergency lists: each person hears that it is a test and confirms. The record has the sum, the trace each call, and
 * `serviceAlarm callListTestFailed` comes when no person has confirmed. A test is not on the disk: the control plane asks for it by
 * name until it is done, and begins it again at a host that was started in the middle.
 */
export class ListTests {
  readonly #ports: Ports;
  readonly #dependencies: Dependencies;
  readonly #timers: TimerScope<'test'>;
  readonly #running = new Map<string, Running>();
  readonly #results = new Map<string, CallListTestState>();
  readonly #ends = { confirmed: 0, partly: 0, unconfirmed: 0 };

  constructor(ports: Ports, dependencies: Dependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((key) => this.#input(key, { type: 'timer' }));
    dependencies.people.dialled.add(() => {
      for (const key of this.#running.keys()) this.#input(key, { type: 'giveWay' });
    });
  }

  get figures(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      Object.entries(this.#ends).map(([end, count]) => [`people_list_tests_total{result="${end}"}`, count]),
    );
  }

  /** Begins this test, or says where it is. Fails with `notFound` or `busy`. */
  ask(asked: CallListTest): Result<CallListTestState, Failure<'notFound' | 'busy'>> {
    const key = `${asked.entity} ${asked.id} ${asked.test}`;
    const known = this.#running.get(key);
    if (known !== undefined) return ok(stateOf(known.test));
    const done = this.#results.get(key);
    if (done !== undefined) return ok(done);
    const tenant = this.#ports.tenant();
    const isBridge = asked.entity === 'alarmbridge';
    const bridge = isBridge ? tenant.bridges.find(({ id }) => id === asked.id) : undefined;
    const list = isBridge
      ? bridge?.emergencyCallList
      : tenant.byId(asked.id)?.serviceData?.alarmBridge?.emergencyCallList;
    if (list === undefined)
      return fail(
        'notFound',
        `The test is not begun: ${asked.entity} ${asked.id} has no emergencyCallList here. Wait until the configuration has arrived.`,
      );
    if (this.#running.size >= MOST_TESTS || this.#dependencies.people.legs > 0)
      return fail(
        'busy',
        'The test is not begun: this host calls people for an alarm, or tests other lists. Ask again in a minute.',
      );
    const first = beginTest(callPlanOf(list), this.#ports.clock.monoMs());
    const running: Running = {
      ...{ key, asked, bridge, callees: new Map(), test: first.state },
      // It gets its record when it is over: the end of its first call would end it.
      trace: new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs, this.#ports.sessions),
    };
    this.#running.set(key, running);
    this.#dependencies.calls.turn(() => this.#perform(running, first));
    return ok(stateOf(running.test));
  }

  #input(key: string, input: Timeless): void {
    this.#dependencies.calls.turn(() => {
      const running = this.#running.get(key);
      if (running === undefined) return;
      const at = this.#ports.clock.monoMs();
      this.#perform(running, stepTest(running.test, { ...input, at } as TestInput));
    });
  }

  #perform(running: Running, { state, effects }: { state: ListTest; effects: readonly TestEffect[] }): void {
    running.test = state;
    for (const effect of effects) this.#carry(running, effect);
  }

  #carry(running: Running, effect: TestEffect): void {
    const { key, trace } = running;
    switch (effect.type) {
      case 'dial':
        this.#dial(running, effect.attempt, effect.entry);
        return;
      case 'hangUp':
        this.#leave(running, effect.attempt)?.hangUp(effect.reason);
        return;
      case 'say': {
        const { attempt, sentence, language, isLast } = effect;
        const callee = isLast ? this.#leave(running, attempt) : running.callees.get(attempt)?.callee;
        const { text, lang } = sentenceText(sentence, language, NO_WORDS);
        callee?.say(text, lang, isLast ? () => callee.hangUp('the test call is over') : undefined);
        return;
      }
      case 'progress': {
        const { type: _, ...step } = effect;
        trace.add('emergencyProgress', { ...step, round: 1, isTest: true });
        return;
      }
      case 'wake':
        this.#timers.start(key, 'test', this.#ports.clock.monoMs() + effect.ms);
        return;
      case 'ended':
        this.#ended(running);
    }
  }

  #dial(running: Running, attempt: number, { destination, ringMs }: CallEntry): void {
    const { key, asked, bridge, trace, callees } = running;
    const { calls, sound, people } = this.#dependencies;
    const tenant = this.#ports.tenant();
    const deviceId = asked.entity === 'device' ? asked.id : undefined;
    const plan = calleePlan(bridge, tenant.byId(deviceId ?? '')?.trunkGroupId);
    const over = (reason: string): void => {
      this.#leave(running, attempt);
      this.#input(key, { type: 'over', attempt, reason });
    };
    const refusal = calleeRefusal(calls, destination, plan, { deviceId });
    if (refusal !== undefined) {
      over(refusal);
      return;
    }
    const origin = calleeOrigin(tenant.domain, bridge?.name ?? asked.id);
    const isByTrunk = calls.routeTo(destination, plan).kind !== 'device';
    const guarded = isByTrunk
      ? people.loops.watch({
          ...{ token: Buffer.from(this.#ports.random(16)).toString('hex'), shown: origin.user, rings: true },
          looped: () => {
            this.#leave(running, attempt)?.hangUp('the call came back to this host');
            over('it leads back to a receiver of this platform');
          },
        })
      : undefined;
    const request = {
      ...{ destination, ringMs, origin, plan, trace, near: undefined },
      ...(guarded !== undefined && { towards: people.loops.towards(guarded.token) }),
    };
    const watch = () => new LineEvidence();
    const callee = new CalleeCall(this.#ports, { calls, sound, watch }, request, {
      answered: () => {
        if (guarded !== undefined) guarded.rings = false;
        this.#input(key, { type: 'answered', attempt });
      },
      key: (pressed) => this.#input(key, { type: 'key', attempt, key: pressed }),
      evidence: (evidence) => this.#input(key, { type: 'evidence', attempt, evidence }),
      over,
    });
    callees.set(attempt, { callee, guarded });
    callee.begin();
  }

  /** No call any more: the one of this attempt ends, or says its last words. */
  #leave({ callees }: Running, attempt: number): CalleeCall | undefined {
    const found = callees.get(attempt);
    callees.delete(attempt);
    this.#dependencies.people.loops.forget(found?.guarded);
    return found?.callee;
  }

  #ended(running: Running): void {
    const { key, asked, bridge, trace, test } = running;
    const { confirmed, unconfirmed, entries } = test;
    this.#running.delete(key);
    this.#timers.stopAll(key);
    this.#results.set(key, stateOf(test));
    const oldest = this.#results.size > MOST_RESULTS ? this.#results.keys().next().value : undefined;
    if (oldest !== undefined) this.#results.delete(oldest);
    const reached = confirmed.length;
    const end = reached === 0 ? 'unconfirmed' : unconfirmed.length === 0 ? 'confirmed' : 'partly';
    this.#ends[end]++;
    const deviceId = asked.entity === 'device' ? asked.id : undefined;
    const from = bridge?.name ?? asked.id;
    trace.open({ kind: 'call', from, receiver: bridge?.id, receiverName: bridge?.name, deviceId });
    const reason = `test call of the emergency list: ${reached} of ${entries.length} people confirmed`;
    if (reached === 0)
      this.#dependencies.alarms.raise(
        {
          type: 'serviceAlarm',
          error: 'callListTestFailed',
          errorDetails: {
            reason:
              'no person of emergencyCallList has confirmed its test call, so that an alarm may reach no person. Call them yourself, and correct the list',
            destinations: [...unconfirmed],
          },
          ...(bridge !== undefined && { alarmBridgeId: bridge.id }),
          ...(deviceId !== undefined && { deviceId }),
        },
        trace.traceId,
      );
    const cause = reached > 0 ? 200 : 480;
    trace.add('sessionEnded', { outcome: 'ended', answered: reached > 0, reason, protocol: 'SIP', cause });
    trace.belongsTo(trace.traceId);
    this.#dependencies.pages.add(trace.takePage());
  }
}

type Timeless = TestInput extends infer Each ? (Each extends TestInput ? Omit<Each, 'at'> : never) : never;

const stateOf = ({ phase, entries, confirmed }: ListTest): CallListTestState => ({
  state: phase === 'ended' ? 'done' : 'running',
  called: entries.length,
  confirmed: confirmed.length,
});
