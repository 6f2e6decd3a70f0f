import {
  begin,
  type CallEntry,
  type CallPlan,
  type EmergencyList,
  type ListEffect,
  type ListInput,
  step,
} from '#appliance/alarm/emergency-list/index.ts';

const entry = (destination: string, more: Partial<CallEntry> = {}): CallEntry => ({
  destination,
  ringMs: 25_000,
  accept: 'key',
  ...more,
});

/** Two steps; a and b ring at once, c follows and accepts by its answer. */
export const PLAN: CallPlan = {
  steps: [[entry('a', { pin: '4711' }), entry('b')], [entry('c', { accept: 'answer' })]],
  rounds: 2,
  pauseMs: 60_000,
  longestMs: 1_800_000,
};

/** One input of every kind, `later` after the input before. */
export const INPUTS = {
  'a answers': { type: 'answered', attempt: 1 },
  'a busy': { type: 'failed', attempt: 1, reason: 'busy' },
  'a 1': { type: 'key', attempt: 1, key: '1' },
  'a 9': { type: 'key', attempt: 1, key: '9' },
  'a 5': { type: 'key', attempt: 1, key: '5' },
  'a human': { type: 'evidence', attempt: 1, evidence: 'human' },
  'a machine': { type: 'evidence', attempt: 1, evidence: 'machine' },
  'a line over': { type: 'evidence', attempt: 1, evidence: 'ended' },
  'a stored': { type: 'committed', attempt: 1, isStored: true },
  'a unstored': { type: 'committed', attempt: 1, isStored: false },
  'a hangs up': { type: 'legEnded', attempt: 1, isLost: false, reason: 'BYE' },
  'a lost': { type: 'legEnded', attempt: 1, isLost: true, reason: 'no audio' },
  'b answers': { type: 'answered', attempt: 2 },
  'b busy': { type: 'failed', attempt: 2, reason: 'busy' },
  'b 1': { type: 'key', attempt: 2, key: '1' },
  'b stored': { type: 'committed', attempt: 2, isStored: true },
  'c answers': { type: 'answered', attempt: 3 },
  'c busy': { type: 'failed', attempt: 3, reason: 'busy' },
  'c machine': { type: 'evidence', attempt: 3, evidence: 'machine' },
  'c stored': { type: 'committed', attempt: 3, isStored: true },
  'c hangs up': { type: 'legEnded', attempt: 3, isLost: false, reason: 'BYE' },
  'device here': { type: 'device', isHere: true },
  'device gone': { type: 'device', isHere: false },
  stop: { type: 'stop', reason: 'drop' },
  early: { type: 'timer' },
  due: { type: 'timer' },
  recovered: { type: 'recovered', ageMs: 600_000 },
} as const satisfies Record<string, DistributiveOmit<ListInput, 'at'>>;

type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

export type InputName = keyof typeof INPUTS;

const ASKING = ['a answers'] as const;
const TALKING = [...ASKING, 'a 1', 'a stored'] as const;
const STEP_TWO = ['a busy', 'b busy'] as const;
const PAUSING = [...STEP_TWO, 'c busy'] as const;

const PATHS = {
  ringing: [],
  asking: ASKING,
  'asking, past': [...ASKING, 'due'],
  accepting: [...ASKING, 'a 1'],
  'second step': STEP_TWO,
  pausing: PAUSING,
  'pausing, a past': [...ASKING, 'b busy', 'due', 'c busy'],
  talking: TALKING,
  'talking, by answer': [...STEP_TWO, 'c answers', 'c stored'],
  handingBack: [...TALKING, 'a hangs up'],
  ended: [...TALKING, 'stop'],
} as const satisfies Record<string, readonly InputName[]>;

export type Situation = keyof typeof PATHS;
export const SITUATIONS = Object.keys(PATHS) as Situation[];

/** A list with its clock: `due` moves the clock to the timer, everything else takes one millisecond. */
export class ListWalk {
  list: EmergencyList;
  nowMs = 1_000;
  wakeAt: number | undefined;
  effects: readonly ListEffect[] = [];

  /** `alarmQueue`: the control plane takes what the list leaves. */
  constructor(plan = PLAN, hangUpClears = false, isDeviceHere = true, alarmQueue = false) {
    const begun = begin(plan, hangUpClears, this.nowMs, isDeviceHere);
    this.list = alarmQueue ? { ...begun.state, alarmQueue } : begun.state;
    this.#took(begun.effects);
  }

  static at(situation: Situation, hangUpClears = false): ListWalk {
    const walk = new ListWalk(PLAN, hangUpClears);
    for (const name of PATHS[situation]) walk.input(name);
    return walk;
  }

  input(name: InputName): readonly ListEffect[] {
    return this.give(INPUTS[name], name === 'due');
  }

  give(input: DistributiveOmit<ListInput, 'at'>, isDue = false): readonly ListEffect[] {
    this.nowMs = isDue ? (this.wakeAt ?? this.nowMs) : this.nowMs + 1;
    if (isDue) this.wakeAt = undefined;
    const { state, effects } = step(this.list, { ...input, at: this.nowMs } as ListInput);
    this.list = state;
    this.#took(effects);
    return effects;
  }

  #took(effects: readonly ListEffect[]): void {
    this.effects = effects;
    for (const effect of effects) {
      if (effect.type === 'wake') this.wakeAt = this.nowMs + effect.ms;
      if (effect.type === 'sleep') this.wakeAt = undefined;
    }
  }
}

/** One effect in a word or two; reports are words of their own. */
export function word(effect: ListEffect): string {
  switch (effect.type) {
    case 'dial':
      return `dial ${effect.attempt}`;
    case 'hangUp':
    case 'commit':
    case 'join':
    case 'part':
      return `${effect.type} ${effect.attempt}`;
    case 'say':
      return `${effect.isLast ? 'last' : 'say'} ${effect.attempt} ${effect.sentence}`;
    case 'command':
      return effect.command;
    case 'progress':
      return `(${effect.step})`;
    case 'wake':
      return `wake ${effect.ms}`;
    case 'sleep':
      return 'sleep';
    case 'queued':
      return 'queued';
    case 'ended':
      return `ended ${effect.result}`;
  }
}
