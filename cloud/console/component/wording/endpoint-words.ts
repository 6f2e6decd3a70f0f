import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const KINDS: Readonly<Record<string, MessageDescriptor>> = {
  bridge: msg`Alarm receiver`,
  message: msg`Messages of an alarm receiver`,
  platform: msg`Notification of platform alarms`,
  mediaservice: msg`Media service`,
  callrecording: msg`Recording service`,
  cloudsipua: msg`Cloud user agent`,
};
const OTHER = msg`Endpoint`;

export const endpointKindWords = (kind: string): MessageDescriptor => KINDS[kind] ?? OTHER;

/** An endpoint of the tenant itself has no object, and so no name that a person gave it. */
export const endpointName = (
  name: string,
  of: { readonly kind: string; readonly id?: string } | undefined,
): string => (of === undefined || of.id !== undefined ? name : i18n._(endpointKindWords(of.kind)));
