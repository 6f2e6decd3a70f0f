import type { Operations } from '#shared/client/index.ts';

type Detail = Operations['getSiteByDomainBySiteIdHostByHostId']['answer']['host'];

/** How steady the contact is; losses while it is unstable are counted and not reported. */
export function contactWords(contact: Detail['contact']): string {
  if (contact === undefined || (contact.losses === 0 && contact.suppressed === 0)) return 'steady';
  const { losses, suppressed, unstable } = contact;
  const lost = `lost ${losses === 1 ? 'once' : `${losses} times`} lately`;
  if (!unstable) return lost;
  return `unstable: ${lost}; ${suppressed === 0 ? 'each was notified' : `${suppressed} of them without notification`}`;
}
