import { api } from '../client/api.ts';
import { followNotices } from '../client/push/notice-press.ts';
import { session, tenants, trouble } from '../client/session.ts';
import { takeLanguage } from './language.ts';

/** Reads what the first drawing needs: the language and, from the cookie, the signed-in person. */
export async function begin(): Promise<void> {
  followNotices();
  session.subscribe(() => void readTenants());
  const [known] = await Promise.all([api.call('getSession', {}), takeLanguage()]);
  session.value = known.ok ? known.value : null;
}

/** The tenants of the person, after each sign-in and when her rights have changed: a second factor opens them too. */
async function readTenants(): Promise<void> {
  if (session.value === null || session.value === undefined) return;
  const answer = await api.call('getProvisioningCurrentuserTenants', { limit: '100' });
  trouble.value = answer.ok ? '' : answer.error.reason;
  tenants.value = answer.ok ? answer.value.tenants : [];
}
