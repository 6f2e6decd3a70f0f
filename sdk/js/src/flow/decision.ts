import type { AlarmDecision, CallDecision } from '../contract/api.codes.ts';

type Details = Omit<CallDecision, 'action'>;

/** Calls a party and joins it with the caller; the answer to newCall and callEvent. */
export const call = (destAddr: string, details: Details = {}): CallDecision => ({
  ...details,
  action: 'call',
  destAddr,
});

/** Sends the caller into the IVR: getIvrCommand follows. */
export const enterIvr = (details: Details = {}): CallDecision => ({ ...details, action: 'ivr' });

/** Joins the participant with another one. */
export const connect = (details: Details): CallDecision => ({ ...details, action: 'connect' });

/** Refuses the call with a status of SIP, or ends it. */
export const refuse = (dropCode = 603, details: Details = {}): CallDecision => ({
  ...details,
  action: 'drop',
  dropCode,
});

/** Ends the alarm call; the answer to newAlarmbridgeEvent. */
export const drop = (): AlarmDecision => ({ action: 'drop' });
