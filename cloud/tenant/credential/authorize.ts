import { type AuthorizeDevice, type AuthorizedDevice, createAuthorize } from '#shared/authorize/index.ts';
import { readDevice, recordAudit, type Store, tenantByDomain } from '../../store/index.ts';
import type { TenancyPort } from './port.ts';
import { signInTries } from './sign-in-tries.ts';

/** `POST /authorize` for the devices of every tenant, signed by the platform's key. */
export const deviceSignIn = ({
  store,
  sha256,
  verifyPassword,
  sign,
  publicUrl,
  wait,
}: TenancyPort): AuthorizeDevice =>
  createAuthorize({
    issuer: publicUrl,
    verifyPassword,
    sign,
    tries: (onLocked) => signInTries(store, sha256, onLocked),
    ...(wait && { wait }),
    onLocked: (domain, deviceId, address, at) => {
      tellLock(store, { domain, deviceId, address, at }).catch(() => undefined);
    },
    findDevice: async (domain, deviceId) => {
      const tenant = await tenantByDomain(store, domain);
      const row = tenant && (await readDevice(store, tenant.id, deviceId));
      // Stored bodies are what the contract lets in; its authType says which fields there are.
      return row?.device.body as unknown as AuthorizedDevice | undefined;
    },
  });

/** The tenant of a device reads in its audit log that the device is being guessed. */
async function tellLock(
  store: Store,
  { domain, deviceId, address, at }: { domain: string; deviceId: string; address: string; at: number },
): Promise<void> {
  const tenant = await tenantByDomain(store, domain);
  if (tenant === undefined) return;
  const entry = { tenant: tenant.id, action: 'sign in locked', entity: 'device', entityId: deviceId };
  await store.withTx((tx) => recordAudit(tx, { name: 'visitor', address, requestId: '', at }, entry));
}
