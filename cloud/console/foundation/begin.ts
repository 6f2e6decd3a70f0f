import { api } from '../client/api.ts';
import { followNotices } from '../client/push/notice-press.ts';
import { HOME } from '../client/route.ts';
import { session, tenants, trouble } from '../client/session.ts';
import { takeLanguage } from './language.ts';
import { PAGES, pageAt } from './page-list.ts';

type Asked = ReturnType<typeof askTenants>;

/**
 * Reads what the first drawing needs: the language and, from the cookie, the signed-in person; beside them the tenants and the page.
 * Asked one after the other, each of them would cost a slow line another turn. `index.html` names the two questions in the same
 * words, so that the browser asks them while the program comes.
 */
export async function begin(): Promise<void> {
  followNotices();
  const tenantsAsked = askTenants();
  const begun = Promise.all([api.call('getSession', {}), takeLanguage()]);
  // A browser asks for six files at once: the page comes behind what each page needs. One that does not come says so when it is drawn.
  const page = pageAt(location.pathname.slice(HOME.length)) ?? PAGES[0];
  page?.load().catch(() => undefined);
  const [known] = await begun;
  // Without a session the answer is a refusal, and the tenants are asked for after the sign-in.
  let asked: Asked | undefined = known.ok ? tenantsAsked : undefined;
  session.subscribe(() => {
    void readTenants(asked);
    asked = undefined;
  });
  session.value = known.ok ? known.value : null;
}

const askTenants = () => api.call('getProvisioningCurrentuserTenants', { limit: '100' });

/** The tenants of the person, after each sign-in and when her rights have changed: a second factor opens them too. */
async function readTenants(asked: Asked | undefined): Promise<void> {
  if (session.value === null || session.value === undefined) return;
  const answer = await (asked ?? askTenants());
  trouble.value = answer.ok ? '' : answer.error.reason;
  tenants.value = answer.ok ? answer.value.tenants : [];
}
