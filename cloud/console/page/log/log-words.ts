import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { causeOf, knownCause, knownServiceError } from '../../component/wording/incident-words.ts';
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
  /** Its error, where the title does not say it; one of a later release by its name, readable. */
  readonly error: MessageDescriptor | undefined;
}

/** The words of a host about an event: its error, and the facts of it. */
type Said = Readonly<Record<string, unknown>>;

/** The sentence of the error goes before that of the type. */
export function eventTitle(type: string, { error, errorDetails }: Said): EventTitle {
  if (typeof error !== 'string') return { title: knownCause(type) ?? EVENTS[type], error: undefined };
  const cause = knownCause(causeOf({ error, errorDetails: (errorDetails ?? {}) as Said }));
  if (cause !== undefined) return { title: cause, error: undefined };
  return {
    title: knownCause(type) ?? EVENTS[type],
    error: NAME.test(error) && error !== type ? errorWords(error) : undefined,
  };
}

/** An alarm that stood, and stands no more: its sentence is that of its begin. */
export function isOver({ status, errorDetails }: Said): boolean {
  const inner = (errorDetails ?? {}) as Said;
  return status === 'cleared' || inner.status === 'cleared';
}

function errorWords(error: string): MessageDescriptor {
  const name = readable(error);
  return knownServiceError(error) ?? { id: name, message: name };
}
