import type { MessageProtocol } from '../protocol.ts';
import { acceptsContentType } from '../xml-message/index.ts';
import { REPEAT_MS } from './exchange-table.ts';
import { LACS_PROFILE, type LacsProfile } from './profile.ts';
import { decodeLacs, encodeReply, lacsEvent } from './request.ts';

/** LACS as a row of the registry. Its elements are the customer's to name, so that no body names it. */
export const LACS: MessageProtocol = {
  name: 'lacs',
  namesItself: false,
  read(body, contentType, given) {
    const profile = (given as LacsProfile | undefined) ?? LACS_PROFILE;
    const { contentTypesAccepted, ackWithinMs: withinMs, responseMode, reply } = profile;
    if (contentType !== undefined && !acceptsContentType(contentTypesAccepted, contentType)) return undefined;
    const read = decodeLacs(body, profile);
    if (!read.ok) return undefined;
    const request = read.value;
    return {
      text: request.raw,
      // A reference makes two alarms of equal content two.
      repeatMs: request.fields.reference === undefined ? REPEAT_MS.unnamed : REPEAT_MS.named,
      withinMs,
      responseMode,
      contentType: reply.contentType,
      event: (fromUser) => lacsEvent(request, fromUser, profile),
      answer: (callback) => encodeReply(request, callback, profile),
    };
  },
};
