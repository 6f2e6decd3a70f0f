import { receivedForm } from '#shared/alarm-event/index.ts';
import { Listeners } from '#shared/listeners.ts';
import type { CallControl, Towards } from '../../call/control/index.ts';
import type { Sound } from '../../call/sound/index.ts';
import type { CallbackPorts } from '../../delivery/callback/index.ts';
import type { DeliveryService } from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { LegId, MediaPorts } from '../../media/control/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { emergencyData } from '../emergency-data/index.ts';
import { type CallEntry, type ProgressStep, QUEUE_STEP } from '../emergency-list/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { PeopleCalls } from '../receiving/alarm-speech.ts';
import type { PeopleEffect, TimelessListInput } from '../session/index.ts';
import type { AlarmVoice, DeviceCall, PeopleOnCall } from '../voice/index.ts';
import { CallRoom, type WaitingCall } from './call-room.ts';
import { CalleeCall, type CalleeDependencies } from './callee-call.ts';
import { calleeOrigin, calleePlan, calleeRefusal } from './callee-place.ts';
import { LineEvidence } from './line-evidence.ts';
import { type GuardedCall, LoopGuard } from './loop-guard.ts';
import { type CalledKind, PeopleFigures } from './people-figures.ts';
import { ProgressReport } from './progress-report.ts';
import { QueueReport } from './queue-report.ts';
import { type AlarmWords, sentenceText, spokenWord } from './sentence-text.ts';

type Ports = KernelPorts & TenantPorts & MediaPorts & JournalPorts & Pick<CallbackPorts, 'signReply'>;

/**
 * `Chosen:` calls to people at once where the tenant names no figure; a list of a hundred that ring at once leaves the others their alarms.
 * `Chosen:` each host counts its own calls alone. A count that hosts share would need an answer of another host before a person rings, also
 * while the line between them is cut; two hosts of a site may call twice as many people at once.
 */
const MOST_CALLS = 120;
const LEADS_BACK =
  'it leads back to a receiver of this platform; name another destination, or end its forwarding';
/** Between two times that the device hears the calm prompt, s. */
const PROMPT_PAUSE_S = 8;

interface PeopleDependencies {
  readonly calls: CallControl;
  readonly alarmSessions: AlarmSessions;
  readonly voice: AlarmVoice;
  readonly delivery: DeliveryService;
  /** Absent: tones stand for sentences, and the device hears silence while it waits. */
  readonly sound: Pick<Sound, 'play' | 'background'> | undefined;
}

/** The people who are called for one alarm. */
interface Gathering {
  readonly callees: Map<number, CalleeCall>;
  readonly kinds: Map<number, CalledKind>;
  /** Calls by trunks, which may lead back to us. */
  readonly guarded: Map<number, GuardedCall>;
  device: DeviceCall | undefined;
  /** Calls that wait for a place among those that the tenant may have at once. */
  readonly waiting: Map<number, WaitingCall>;
  /** The attempt that has the alarm. */
  taker: number | undefined;
  /** Device and taker hear each other. */
  isJoined: boolean;
  /** It waits in the alarm queue of the control plane, which hears of every step from now on. */
  isQueued: boolean;
  steps: number;
}

/**
 * Carries the emergency lists of alarm sessions: it dials, says sentences, hears keys and evidence, holds the device, and joins it
 * with the person who has accepted.
 */
export class PeopleOfAlarms implements PeopleCalls, PeopleOnCall {
  readonly #ports: Ports;
  readonly #dependencies: PeopleDependencies;
  readonly #callee: CalleeDependencies;
  readonly #report: ProgressReport;
  readonly #queue: QueueReport;
  readonly #figures = new PeopleFigures();
  /** Watches over calls by trunks that lead back to us. */
  readonly loops: LoopGuard;
  /** A person is called for an alarm. */
  readonly dialled = new Listeners<[]>();
  readonly #gatherings = new Map<string, Gathering>();
  readonly #room: CallRoom;

  constructor(ports: Ports, dependencies: PeopleDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    const { calls, sound, alarmSessions, voice, delivery } = dependencies;
    this.#room = new CallRoom(
      () => ports.tenant().notification.emergencyCallsAtOnce ?? MOST_CALLS,
      (work) => alarmSessions.turn(work),
    );
    this.#callee = { calls, sound, watch: () => new LineEvidence() };
    this.#report = new ProgressReport(ports, delivery);
    this.loops = new LoopGuard(ports);
    calls.claimedBy((request, caller) => this.loops.claim(request, caller));
    this.#queue = new QueueReport(ports);
    alarmSessions.callPeopleBy(this);
    voice.holdBy(this);
    voice.deviceLost.add((conversation) => this.#deviceLost(conversation));
    alarmSessions.over.add((known) => this.#over(known));
  }

  /** Calls to people that ring or are answered. */
  get legs(): number {
    return this.#room.inUse;
  }

  get figures(): Readonly<Record<string, number>> {
    const { inUse, waiting } = this.#room;
    return { people_calls: inUse, people_calls_waiting: waiting, ...this.#figures.figures };
  }

  perform(known: ActiveAlarm, effect: PeopleEffect): void {
    const { conversation } = known;
    const gathering = this.#gathering(conversation);
    switch (effect.type) {
      case 'dial':
        this.#dial(known, gathering, effect.attempt, effect.entry);
        return;
      case 'hangUp':
        this.#leave(gathering, effect.attempt)?.hangUp(effect.reason);
        return;
      case 'say':
        this.#say(known, gathering, effect);
        return;
      case 'join':
        gathering.taker = effect.attempt;
        this.#join(known, gathering);
        return;
      case 'part':
        this.#part(known, gathering);
        return;
      case 'progress': {
        const progress = { ...effect, ...this.#twice(known, effect.step), ...waits(gathering, effect) };
        const { type: _, ...step } = progress;
        known.trace.add('emergencyProgress', step);
        this.#report.send(known, progress, ++gathering.steps);
        this.#figures.count(step.step, gathering.kinds.get(step.attempt ?? 0) ?? 'none');
        if (gathering.isQueued && step.step !== 'queued')
          this.#queue.send(known, reasonOf(step.step, step.reason));
        return;
      }
      case 'queued':
        gathering.isQueued = true;
        this.#queue.send(known, effect.reason);
        return;
      default:
        return;
    }
  }

  hold(conversation: string, call: DeviceCall): boolean {
    const known = this.#dependencies.alarmSessions.caseOf(conversation);
    const list = known?.session.list;
    if (known === undefined || list === undefined || list.phase === 'ended') return false;
    const gathering = this.#gathering(conversation);
    gathering.device = call;
    if (gathering.taker === undefined) this.#prompt(known, call);
    else this.#join(known, gathering);
    return true;
  }

  nearOf(conversation: string): LegId | undefined {
    const gathering = this.#gatherings.get(conversation);
    return gathering && audioOf(gathering);
  }

  towards(known: ActiveAlarm): Towards {
    return { emergencyData: () => this.#emergencyData(known) };
  }

  #emergencyData(known: ActiveAlarm): ReturnType<typeof emergencyData> {
    const { random, tenant } = this.#ports;
    const { facts } = known;
    const { device, site, status, location } = wordsOf(known);
    const { deviceType, macAddress } = tenant().byId(facts.deviceId ?? '') ?? {};
    return emergencyData({
      id: Buffer.from(random(8)).toString('hex'),
      domain: tenant().domain,
      receiver: facts.calledParty,
      time: new Date(facts.createdMs).toISOString(),
      ...{ device, deviceType, macAddress, site, place: location, event: status },
    });
  }

  #gathering(conversation: string): Gathering {
    const found = this.#gatherings.get(conversation);
    if (found !== undefined) return found;
    const made = {
      callees: new Map(),
      waiting: new Map(),
      kinds: new Map(),
      guarded: new Map(),
      device: undefined,
      taker: undefined,
      isJoined: false,
      isQueued: false,
      steps: 0,
    };
    this.#gatherings.set(conversation, made);
    return made;
  }

  #dial(known: ActiveAlarm, gathering: Gathering, attempt: number, entry: CallEntry): void {
    if (this.#isRefused(known, attempt, entry)) return;
    const waiting = this.#room.take(() => {
      gathering.waiting.delete(attempt);
      // Devices and trunks may have changed while it waited.
      if (this.#isRefused(known, attempt, entry)) {
        this.#room.free();
        return;
      }
      this.#tell(known, { type: 'begins', attempt });
      this.#call(known, gathering, attempt, entry);
    }, gathering.isQueued);
    if (waiting === undefined) {
      this.#call(known, gathering, attempt, entry);
      return;
    }
    gathering.waiting.set(attempt, waiting);
    this.#tell(known, { type: 'waits', attempt });
  }

  /** Where this destination may not be called, its list goes on. */
  #isRefused(known: ActiveAlarm, attempt: number, { destination }: CallEntry): boolean {
    const reason = calleeRefusal(this.#dependencies.calls, destination, this.#planOf(known), known.facts);
    if (reason !== undefined) this.#tell(known, { type: 'failed', attempt, reason });
    return reason !== undefined;
  }

  #planOf({ bridge, facts }: ActiveAlarm) {
    return calleePlan(bridge, this.#ports.tenant().byId(facts.deviceId ?? '')?.trunkGroupId);
  }

  #tell({ conversation }: ActiveAlarm, input: TimelessListInput): void {
    this.#dependencies.alarmSessions.input(conversation, { type: 'list', input });
  }

  /** The call has its place. */
  #call(known: ActiveAlarm, gathering: Gathering, attempt: number, entry: CallEntry): void {
    const { facts } = known;
    const tell = (input: TimelessListInput): void => this.#tell(known, input);
    const plan = this.#planOf(known);
    this.dialled.emit();
    const { kind } = this.#dependencies.calls.routeTo(entry.destination, plan);
    gathering.kinds.set(attempt, kind === 'device' ? 'device' : 'trunk');
    const origin = calleeOrigin(this.#ports.tenant().domain, facts.calledParty);
    const guarded =
      kind === 'device'
        ? undefined
        : this.loops.watch({
            token: Buffer.from(this.#ports.random(16)).toString('hex'),
            shown: origin.user,
            rings: true,
            looped: () => {
              this.#leave(gathering, attempt)?.hangUp('the call came back to this host');
              tell({ type: 'failed', attempt, reason: LEADS_BACK });
            },
          });
    if (guarded !== undefined) gathering.guarded.set(attempt, guarded);
    const request = {
      destination: entry.destination,
      ringMs: entry.ringMs,
      origin,
      towards: {
        ...(guarded !== undefined && this.loops.towards(guarded.token)),
        ...this.towards(known),
      },
      near: () => audioOf(gathering, attempt),
      ...{ plan, trace: known.trace },
    };
    const callee = new CalleeCall(this.#ports, this.#callee, request, {
      answered: () => {
        if (guarded !== undefined) guarded.rings = false;
        tell({ type: 'answered', attempt });
      },
      key: (key) => tell({ type: 'key', attempt, key }),
      evidence: (evidence) => tell({ type: 'evidence', attempt, evidence }),
      over: (reason, hadAnswered, isLost) => {
        this.#leave(gathering, attempt);
        if (hadAnswered) tell({ type: 'legEnded', attempt, isLost, reason });
        else tell({ type: 'failed', attempt, reason });
      },
    });
    gathering.callees.set(attempt, callee);
    callee.begin();
  }

  /**
   * The same people may be called for two alarms that are one: it came from two addresses, and no secret proves that they are one
   * device. Chosen: two lists, since a stranger could keep the real alarm from its people otherwise; the record names the other.
   */
  #twice(known: ActiveAlarm, step: ProgressStep): { readonly reason?: string } {
    if (step !== 'roundStarted') return {};
    const other = this.#dependencies.alarmSessions.siblingsOf(known).find(({ session }) => session.list);
    if (other === undefined) return {};
    const { sessionId } = other.facts;
    return { reason: `session ${sessionId} has a list, too: it may be the same alarm from another address` };
  }

  #say(known: ActiveAlarm, gathering: Gathering, effect: PeopleEffect & { readonly type: 'say' }): void {
    const { attempt, sentence, language, isLast } = effect;
    const callee = isLast ? this.#leave(gathering, attempt) : gathering.callees.get(attempt);
    if (callee === undefined) return;
    const { text, lang } = sentenceText(sentence, language, wordsOf(known));
    callee.say(text, lang, isLast ? () => callee.hangUp('the call is over for this callee') : undefined);
  }

  /** No call any more: the one of this attempt ends, or says its last words. */
  #leave(gathering: Gathering, attempt: number): CalleeCall | undefined {
    const callee = gathering.callees.get(attempt);
    const waiting = gathering.waiting.get(attempt);
    if (waiting !== undefined) this.#room.forget(waiting);
    gathering.waiting.delete(attempt);
    if (gathering.callees.delete(attempt)) this.#room.free();
    this.loops.forget(gathering.guarded.get(attempt));
    gathering.guarded.delete(attempt);
    return callee;
  }

  #join(known: ActiveAlarm, gathering: Gathering): void {
    const { device, taker, isJoined } = gathering;
    const callee = gathering.callees.get(taker ?? 0);
    if (device === undefined || callee === undefined || isJoined) return;
    gathering.isJoined = true;
    const { media, run } = this.#ports;
    this.#dependencies.sound?.background(device.leg, null);
    // Keys of the person are commands for us; the device must not hear them.
    run(media.connect(device.leg, callee.leg, { bToA: { as: 'none' } }));
    known.trace.add('voiceJoined', { leg: callee.leg });
    device.joinedWith(callee.leg, destinationOf(known, taker ?? 0) ?? '');
  }

  #part(known: ActiveAlarm, gathering: Gathering): void {
    const { device, isJoined } = gathering;
    gathering.taker = undefined;
    gathering.isJoined = false;
    if (device === undefined || !isJoined) return;
    this.#ports.run(this.#ports.media.disconnect(device.leg));
    if (known.session.list?.phase !== 'ended') this.#prompt(known, device);
  }

  /** The device hears that its alarm has been received, again and again, until a person speaks. */
  #prompt({ trace, facts }: ActiveAlarm, { leg }: DeviceCall): void {
    const words = { device: '', site: undefined, status: '', location: undefined };
    const { text, lang } = sentenceText('wait', undefined, words);
    this.#dependencies.sound?.background(leg, {
      phrase: { format: 'cloudtts', cloudTTSParameters: { Text: text } },
      lang,
      repeatPause: PROMPT_PAUSE_S,
      onFault: ({ reason }) =>
        trace.add('note', { text: `the device of ${facts.sipFrom} hears no prompt: ${reason}` }),
    });
  }

  #deviceLost(conversation: string): void {
    const gathering = this.#gatherings.get(conversation);
    if (gathering === undefined) return;
    gathering.device = undefined;
    gathering.isJoined = false;
  }

  #over(known: ActiveAlarm): void {
    const { conversation } = known;
    if (known.session.list?.isQueued === true) this.#queue.send(known, 'the alarm is over at its host');
    const gathering = this.#gatherings.get(conversation);
    this.#gatherings.delete(conversation);
    if (gathering === undefined) return;
    for (const attempt of [...gathering.waiting.keys(), ...gathering.callees.keys()])
      this.#leave(gathering, attempt)?.hangUp('the alarm is over');
  }
}

/**
 * Audio on whose worker, and in whose slice, a further party of this alarm is opened: that of the device, else of a
 * person who was called before. The one who accepts is joined with the device then, and no packet of either changes its time.
 */
function audioOf({ device, callees }: Gathering, attempt = Number.POSITIVE_INFINITY): LegId | undefined {
  if (device !== undefined) return device.leg;
  for (const [other, callee] of callees) if (other < attempt && callee.audio) return callee.audio;
  return undefined;
}

function destinationOf({ session }: ActiveAlarm, attempt: number): string | undefined {
  const { list } = session;
  const its = list?.attempts.find(({ id }) => id === attempt);
  const entry = its?.step === QUEUE_STEP ? list?.fromQueue : its && list?.plan.steps[its.step]?.[its.entry];
  return entry?.destination;
}

/** A call that waits does not ring yet; its step of the list says so. */
function waits(
  { waiting }: Gathering,
  { step, attempt }: PeopleEffect & { readonly type: 'progress' },
): { readonly step?: 'paused'; readonly reason?: string } {
  return step === 'ringing' && waiting.has(attempt ?? 0) ? { step: 'paused', reason: ALL_IN_USE } : {};
}

const ALL_IN_USE =
  'all calls to people that the tenant may have at once (emergencyCallsAtOnce) are in use; this call begins when one ends';

const reasonOf = (step: string, reason: string | undefined): string =>
  reason === undefined ? step : `${step}: ${reason}`;

function wordsOf({ session, facts, bridge }: ActiveAlarm): AlarmWords {
  const event = session.first === null ? undefined : receivedForm(session.first.event);
  return {
    device: facts.deviceId ?? event?.controllerId ?? facts.sipFrom,
    site: bridge?.customerSiteId,
    status: spokenWord(event?.statusCode ?? 'unknown'),
    location: event?.location === undefined ? undefined : spokenWord(event.location),
  };
}
