import type { Hello } from '#shared/contract/peer/index.ts';

/** The state of this host that the others need to place services; `moving`: those of ours that want a place. */
export interface HostStanding extends Pick<Hello, 'memory' | 'sick'> {
  readonly moving: readonly string[];
}

export interface StandingFacts {
  /** Free memory in MB and used memory in percent; undefined: unknown. */
  readonly memFreeMb?: number | undefined;
  readonly memPct?: number | undefined;
  /** Each service and how it does, as heartbeats say it. */
  readonly svc: Readonly<Record<string, string>>;
  /** This host is being drained, and its services may go elsewhere. */
  readonly reschedules: boolean;
  readonly services: readonly string[];
}

export function hostStanding({ memFreeMb, memPct, svc, reschedules, services }: StandingFacts): HostStanding {
  const memory =
    memFreeMb !== undefined && memPct !== undefined && memFreeMb > 0
      ? { memory: { freeMb: memFreeMb, freePct: 100 - memPct } }
      : {};
  return {
    ...memory,
    // Paused by a person on site counts too: it would not serve here.
    sick: Object.entries(svc).flatMap(([name, word]) => (word === 'ok' ? [] : [name])),
    moving: reschedules ? services : [],
  };
}

/** Rows of each lane that a drain waits for: those that no other host keeps. */
export function rowsLeft(
  rows: readonly { readonly id: string; readonly lane: string }[],
  isHeld: (id: string) => boolean,
): { readonly alarm: number; readonly svc: number } {
  const left = rows.filter(({ id }) => !isHeld(id));
  const of = (lane: string): number => left.filter((row) => row.lane === lane).length;
  return { alarm: of('alarm'), svc: of('svc') };
}
