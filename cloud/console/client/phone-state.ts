import type { PhoneState } from './softphone.ts';
import { createStore } from './store.ts';

/** Lives on while other pages are looked at: an alarm may ring at any time. */
export const phoneState = createStore<PhoneState>({ kind: 'off', reason: '' });
