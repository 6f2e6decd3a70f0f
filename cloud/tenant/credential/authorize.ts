import { type AuthorizeDevice, type AuthorizedDevice, createAuthorize } from '#shared/authorize/index.ts';
import { readDevice, tenantByDomain } from '../../store/index.ts';
import type { TenancyPort } from './port.ts';

/** `POST /authorize` for the devices of every tenant, signed by the platform's key. */
export const deviceSignIn = ({ store, verifyPassword, sign, publicUrl }: TenancyPort): AuthorizeDevice =>
  createAuthorize({
    issuer: publicUrl,
    verifyPassword,
    sign,
    findDevice: async (domain, deviceId) => {
      const tenant = await tenantByDomain(store, domain);
      const row = tenant && (await readDevice(store, tenant.id, deviceId));
      // Stored bodies are what the contract lets in; its authType says which fields there are.
      return row?.device.body as unknown as AuthorizedDevice | undefined;
    },
  });
