import type { EndReason } from '../../../call/session/index.ts';
import type { SendFailed } from '../../protocol/index.ts';

const WARNING: Readonly<Record<number, SendFailed['warning']>> = {
  401: 'authFailed',
  403: 'authFailed',
  404: 'noRoute',
  407: 'authFailed',
  408: 'noAnswer',
  410: 'noRoute',
  480: 'noAnswer',
  486: 'busy',
  487: 'noAnswer',
  503: 'noRoute',
  600: 'busy',
  603: 'rejected',
  604: 'noRoute',
};

/** A call that was not taken, as the failure of an attempt. */
export const notReached = ({ cause, text }: EndReason): Omit<SendFailed, 'type'> => ({
  warning: WARNING[cause] ?? 'rejected',
  reason: `the call to the receiver failed: ${cause} ${text}`.trim(),
  onward: 'alternate',
});
