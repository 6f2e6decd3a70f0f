import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { knownCause } from '../../component/wording/incident-words.ts';
import { readable } from '../../component/wording/readable.ts';

/** Events of hosts that are no platform alarm, by their type. */
const EVENTS: Readonly<Record<string, MessageDescriptor>> = {
  alarmQueued: msg`An alarm waits in the alarm queue`,
  commissionChecks: msg`A host made the checks of its commissioning`,
  drainProgress: msg`The drain of a host moved on`,
  overrides: msg`Local overrides of a host changed`,
  siteRole: msg`A host has another role at its site`,
};

/** A name as the API spells it, and no sentence. */
const NAME = /^[a-z][A-Za-z0-9]*$/;

/** An event in words. */
export interface EventTitle {
  /** Undefined: an event of a later release. */
  readonly title: MessageDescriptor | undefined;
  /** The name of its error, readable, where the title does not say it. */
  readonly error: string | undefined;
}

/** The sentence of the error goes before that of the type. */
export function eventTitle(type: string, error: unknown): EventTitle {
  if (typeof error !== 'string') return { title: knownCause(type) ?? EVENTS[type], error: undefined };
  const cause = knownCause(error);
  if (cause !== undefined) return { title: cause, error: undefined };
  return {
    title: knownCause(type) ?? EVENTS[type],
    error: NAME.test(error) && error !== type ? readable(error) : undefined,
  };
}
