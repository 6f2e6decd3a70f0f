import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const ANSWERED = /\banswered (\d{3})\b/;

/** Advice for the reasons that hosts write, by a part of the reason. */
const ADVICE: readonly (readonly [RegExp, MessageDescriptor])[] = [
  [/ECONNREFUSED/, msg`No program listens at this address. Start the application, or correct its port.`],
  [
    /ENOTFOUND|EAI_AGAIN/,
    msg`The name of the address is unknown. Correct it, or look at the DNS of the host.`,
  ],
  [/EHOSTUNREACH|ENETUNREACH/, msg`The host has no route to this address. Look at its network and firewall.`],
  [/CERT|certificate|self.signed|TLS|SSL/i, msg`The host does not trust the certificate of the application.`],
  [/time.?out|ETIMEDOUT|no answer|within/i, msg`The application did not answer in time. Look at its load.`],
  [/ECONNRESET|EPIPE|socket hang up|closed/i, msg`The connection was closed before an answer came.`],
];
const REFUSED = msg`The application does not accept the credential. Compare restAuthentication with its own.`;
const UNKNOWN_PATH = msg`The application does not know this address. Correct callbackBaseUrl.`;
const BROKEN = msg`The application has an error of its own. Look at its log.`;
const REJECTED = msg`The application rejected the callback. Its log says why.`;
const GENERAL = msg`The host tries again by itself until the callback is given up.`;

/** Advice about a reason, in the words of a person. */
export function adviceOf(reason: string): MessageDescriptor {
  const status = Number(ANSWERED.exec(reason)?.[1] ?? 0);
  if (status === 401 || status === 403) return REFUSED;
  if (status === 404 || status === 405) return UNKNOWN_PATH;
  if (status >= 500) return BROKEN;
  if (status >= 400) return REJECTED;
  return ADVICE.find(([pattern]) => pattern.test(reason))?.[1] ?? GENERAL;
}

const CALLBACKS: Readonly<Record<string, MessageDescriptor>> = {
  newAlarmbridgeEvent: msg`Alarm of a device`,
  platformAlarm: msg`Platform alarm`,
  newCall: msg`New call`,
  callEvent: msg`Event of a call`,
};
const CALLBACK = msg`Callback`;

/** The subject of a callback; one of a later release is a callback in general. */
export const callbackWords = (type: string): MessageDescriptor => CALLBACKS[type] ?? CALLBACK;
