import type { Operations } from '#shared/client/index.ts';
import { decimal } from '../wording/figure.ts';

export type Trace = Operations['getRecordByDomainByRecordIdTrace']['answer']['trace'];
export type Step = Trace['steps'][number];

/** The lanes of a timeline, in the order in which an alarm goes through them. */
export const LANES = ['device', 'appliance', 'application', 'centre', 'people'] as const;
export type Lane = (typeof LANES)[number];

const LANE_OF: Readonly<Record<Step['party'], Lane>> = {
  device: 'device',
  host: 'appliance',
  application: 'application',
  receiver: 'centre',
  destination: 'people',
};

/** One entry of a timeline: a step, or a row of tones that were heard one after the other. */
export interface TimelineEntry {
  readonly lane: Lane;
  /** The first step; a row of tones has several. */
  readonly step: Step;
  readonly tones: readonly Step[];
  /** Milliseconds since the first step of the session. */
  readonly atMs: number;
  /** Milliseconds since the entry before. */
  readonly gapMs: number;
  /** Place on the axis, 0 to 1. */
  readonly x: number;
}

const laneOf = ({ party }: Pick<Step, 'party'>): Lane => LANE_OF[party];

/** The entries of a timeline in order of time; tones that follow each other become one entry. */
export function timelineOf(steps: readonly Step[]): readonly TimelineEntry[] {
  const first = steps[0]?.at ?? 0;
  const length = Math.max(1, (steps.at(-1)?.at ?? 0) - first);
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isTone(step) && isTone(last[0])) last.push(step);
    else groups.push([step]);
  }
  let before = first;
  return groups.flatMap((group) => {
    const [step] = group;
    if (step === undefined) return [];
    const gapMs = step.at - before;
    before = (group.at(-1) ?? step).at;
    return [
      {
        ...{ lane: laneOf(step), step, tones: isTone(step) ? group : [] },
        ...{ atMs: step.at - first, gapMs, x: (step.at - first) / length },
      },
    ];
  });
}

const isTone = ({ kind }: Step): boolean => kind === 'toneHeard';

/** The digits of a row of tones as a device writes them, and the levels that were measured. */
export function toneRow(tones: readonly Step[]): {
  readonly text: string;
  /** dBm0, the weakest and the strongest; absent: none was measured. */
  readonly levels: readonly [number, number] | undefined;
  /** dB, the largest by its amount. */
  readonly twist: number | undefined;
} {
  const numbers = (name: string): number[] =>
    tones.map(({ detail }) => detail[name]).filter((value) => typeof value === 'number');
  const levels = numbers('levelDbm0');
  const twists = numbers('twistDb').toSorted((a, b) => Math.abs(b) - Math.abs(a));
  return {
    text: tones.map(({ detail }) => signOf(detail)).join(''),
    levels: levels.length === 0 ? undefined : [Math.min(...levels), Math.max(...levels)],
    twist: twists[0],
  };
}

function signOf(detail: Step['detail']): string {
  if (typeof detail.digit === 'string') return detail.digit;
  if (typeof detail.digits === 'string') return detail.digits;
  return typeof detail.hz === 'number' ? `(${Math.round(detail.hz)} Hz)` : '';
}

/** `0.0 ms`, `977 ms`, `5.30 s`, `2:05 min` since the first step. */
export function offset(ms: number): string {
  if (ms < 100) return `${decimal(ms, 1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${decimal(ms / 1_000, 2)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}
