import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** The places where configuration is kept, as a person calls them. */
const SCOPES: Readonly<Record<string, MessageDescriptor>> = {
  tenant: msg`tenant`,
  site: msg`site`,
  host: msg`host`,
  platform: msg`platform`,
};

/** The scope in the language of the person; one of a later release as the API spells it. */
export const scopeWord = (scope: string): MessageDescriptor => SCOPES[scope] ?? { id: scope, message: scope };
