import type { PeerCertificate } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { checkCloudIdentity } from '#appliance/io/edge/client/cloud-identity.ts';

const certificate = (subjectaltname: string) =>
  ({ subject: { CN: 'x' }, subjectaltname }) as unknown as PeerCertificate;

describe('checkCloudIdentity', () => {
  it('takes the control plane under its name', () => {
    const own = certificate('DNS:edge.example, URI:urn:carillon:cloud');
    expect(checkCloudIdentity('edge.example', own)).toBeUndefined();
  });

  it('refuses a host of the platform that asked for the name of the control plane', () => {
    const host = certificate('DNS:edge.example, URI:urn:carillon:01j:north:01k');
    expect(checkCloudIdentity('edge.example', host)?.message).toContain("not the control plane's");
    const trick = certificate('DNS:edge.example, URI:urn:carillon:cloud.example');
    expect(checkCloudIdentity('edge.example', trick)).toBeInstanceOf(Error);
  });

  it('refuses another name', () => {
    const own = certificate('DNS:edge.example, URI:urn:carillon:cloud');
    expect(checkCloudIdentity('other.example', own)).toBeInstanceOf(Error);
  });
});
