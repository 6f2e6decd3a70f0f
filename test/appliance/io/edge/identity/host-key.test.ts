import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostKeys } from '#appliance/io/edge/identity/host-key.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'carillon-key-'));
  mkdirSync(join(root, 'credential'));
  vi.stubEnv('CREDENTIALS_DIRECTORY', join(root, 'credential'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const give = (text: string): void => writeFileSync(join(root, 'credential/device-key'), text);
const own = (): string => join(root, 'data/host.key');

describe('the key of a host', () => {
  it('is its own where systemd gives the placeholder of the unit', () => {
    give('unenrolled');
    expect(hostKeys(join(root, 'data')).keyPem).toBe(readFileSync(own(), 'utf8'));
  });

  it('is its own where systemd gives nothing', () => {
    expect(hostKeys(join(root, 'data')).keyPem).toMatch(/^-----BEGIN PRIVATE KEY/);
  });

  it('is the credential, which is then not copied to the disk', () => {
    const { keyPem } = hostKeys(join(root, 'other'));
    give(keyPem);
    expect(hostKeys(join(root, 'data')).keyPem).toBe(keyPem);
    expect(existsSync(own())).toBe(false);
  });

  it('stays its own when a credential comes later: its certificate belongs to it', () => {
    const { keyPem } = hostKeys(join(root, 'data'));
    give(hostKeys(join(root, 'other')).keyPem);
    expect(hostKeys(join(root, 'data')).keyPem).toBe(keyPem);
  });
});
