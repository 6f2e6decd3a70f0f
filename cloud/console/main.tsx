import { effect } from '@preact/signals';
import { render } from 'preact';
import { api } from './client/api.ts';
import { session, tenants, trouble } from './client/session.ts';
import { Shell } from './shell.tsx';

/** Reads the signed-in person from the cookie, then the tenants of that person. */
async function begin(): Promise<void> {
  const known = await api.call('getSession', {});
  session.value = known.ok ? known.value : null;
}

effect(() => {
  if (session.value === null || session.value === undefined) return;
  void api.call('getProvisioningCurrentuserTenants', { limit: '100' }).then((answer) => {
    tenants.value = answer.ok ? answer.value.tenants : [];
    trouble.value = answer.ok ? '' : answer.error.reason;
  });
});

await begin();
render(<Shell />, document.body);
