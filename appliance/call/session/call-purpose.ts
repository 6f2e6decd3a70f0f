/**
 * The purpose of a call. A drain, a stop and the admission of new calls ask it. How a call without audio ends
 * (`endsSilent`) says nothing of it: a recording service may be silent for long and is no alarm.
 */
export type CallPurpose =
  /** A device and the people who help it; also the call that carries an alarm on to another receiver. */
  | 'alarm'
  /** A caller dials an emergency number. */
  | 'emergency'
  | 'mediaService'
  | 'recording'
  | 'cloudUa'
  | 'ordinary';

/** Numbers that are answered wherever a telephone still reaches us. */
const EMERGENCY_NUMBERS: ReadonlySet<string> = new Set(['112', '911', '999']);

export const isEmergencyNumber = (user: string): boolean => EMERGENCY_NUMBERS.has(user);
