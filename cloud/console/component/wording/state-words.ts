import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** States of hosts, operations, jobs, checks and people, as a badge shows them. */
const STATES: Readonly<Record<string, MessageDescriptor>> = {
  online: msg`online`,
  offline: msg`offline`,
  claimed: msg`claimed`,
  quarantined: msg`quarantined`,
  unstable: msg`unstable`,
  degraded: msg`degraded`,
  draining: msg`draining`,
  drained: msg`drained`,
  commissioning: msg`commissioning`,
  decommissioned: msg`decommissioned`,
  active: msg`active`,
  acknowledged: msg`acknowledged`,
  cleared: msg`cleared`,
  invited: msg`invited`,
  pending: msg`pending`,
  running: msg`in progress`,
  blocked: msg`blocked`,
  done: msg`done`,
  passed: msg`passed`,
  failed: msg`failed`,
  noted: msg`noted`,
  warning: msg`warning`,
  'not measured': msg`not measured`,
  debug: msg`debug`,
  info: msg`information`,
  warn: msg`warning`,
  error: msg`error`,
  major: msg`major`,
  critical: msg`critical`,
};

/** The state in the language of the person; one of a later release as the API spells it. */
export const stateName = (state: string): MessageDescriptor => STATES[state] ?? { id: state, message: state };
