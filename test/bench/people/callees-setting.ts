/** Telephones of people and units of alarms, all in one process. */
export interface CalleesSetting {
  /** UDP port of the appliance on 127.0.0.1. */
  readonly port: number;
  readonly domain: string;
  /** Users that register and are called. */
  readonly people: readonly string[];
}

export type CalleesAsk =
  /** Every telephone rings for ever from now on, or takes the call at once. */
  | { readonly kind: 'react'; readonly answers: boolean }
  /** Each unit sends its alarm to its receiver; `calls`: then it calls there, too. */
  | {
      readonly kind: 'alarm';
      readonly units: readonly { readonly unit: string; readonly to: string }[];
      readonly calls: boolean;
    }
  /** These people press 1. */
  | { readonly kind: 'accept'; readonly people: readonly string[] }
  /** Everybody hangs up. */
  | { readonly kind: 'hangUp' }
  /** Everything since the last time it was asked for. */
  | { readonly kind: 'take' }
  /** Counts alone. */
  | { readonly kind: 'look' };

/** A call to a person began to ring, `CLOCK_MONOTONIC`. */
export interface Rang {
  readonly person: string;
  readonly atNs: bigint;
}

export interface CalleesAnswer {
  readonly rang: readonly Rang[];
  /** Packets that came, and how late each was against the 20 ms grid of its stream, ms. */
  readonly lateMs: readonly number[];
  /** Streams of audio that came. */
  readonly streams: number;
  /** How late this process itself was with its timers, p99, ms. */
  readonly ownLateMs: number;
  /** Calls that are up. */
  readonly calls: number;
  /** Calls that were given up while they rang. */
  readonly givenUp: number;
}

export const calleesProcess = new URL('./callees.ts', import.meta.url);
