import type { EmergencyTestCall } from '#shared/contract/provisioning/index.ts';

const FORMS = new Map<string, Intl.DateTimeFormat>();

/** One for each zone: making one takes longer than using it. */
function formOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMS.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
  });
  FORMS.set(timeZone, made);
  return made;
}

/**
 * The month, as `2026-11`, whose test may begin now; undefined: now is not its hour. `Chosen:` a test that was missed begins in the
 * same hour of a later day, and never at night because a machine was down in the morning.
 */
export function dueMonth({ day, hour, timeZone }: EmergencyTestCall, nowMs: number): string | undefined {
  const parts = Object.fromEntries(
    formOf(timeZone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, value]),
  );
  return Number(parts.hour) === hour && Number(parts.day) >= day ? `${parts.year}-${parts.month}` : undefined;
}
