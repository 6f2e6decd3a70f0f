import type { PhoneState, Softphone } from './softphone.ts';
import { createStore } from './store.ts';

/** Lives on while other pages are looked at: an alarm may ring at any time. */
export const phoneState = createStore<PhoneState>({ kind: 'off', reason: '' });

/** The telephone of this window, with the device that it has registered. */
export interface PhoneLine {
  readonly deviceId: string;
  readonly phone: Softphone;
}

export const phoneLine = createStore<PhoneLine | undefined>(undefined);

/** The person has asked for a call that comes within this time: it is answered by itself. */
const EXPECTED_MS = 40_000;
let expectedUntil = 0;

/** A call to this telephone was asked for with a click: the click is its answer. */
export function expectCall(): void {
  expectedUntil = Date.now() + EXPECTED_MS;
}

phoneState.subscribe(() => {
  if (phoneState.value.kind !== 'ringing' || Date.now() > expectedUntil) return;
  expectedUntil = 0;
  void phoneLine.value?.phone.answer();
});
