import { plural, t } from '@lingui/core/macro';
import type { Operations } from '#shared/client/index.ts';

type Detail = Operations['getSiteByDomainBySiteIdHostByHostId']['answer']['host'];

/** How steady the contact is; losses while it is unstable are counted and not reported. */
export function contactWords(contact: Detail['contact']): string {
  if (contact === undefined || (contact.losses === 0 && contact.suppressed === 0)) return t`steady`;
  const { losses, suppressed, unstable } = contact;
  const lost = plural(losses, { one: 'lost once lately', other: 'lost # times lately' });
  if (!unstable) return lost;
  return suppressed === 0
    ? t`unstable: ${lost}; each was notified`
    : t`unstable: ${lost}; ${suppressed} of them without notification`;
}
