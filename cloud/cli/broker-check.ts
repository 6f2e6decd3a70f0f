import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpStateTopic, shardOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { cloudConfig } from '../config.ts';
import { openAuthority } from '../io/authority/index.ts';
import { type Finding, probeBroker } from '../io/broker/index.ts';
import { digest } from '../io/digest/index.ts';

/**
 * `carillon broker check`: whether the broker that CARILLON_MQTT names does what we rely on and lets in whom it should.
 * The host that is tried is made up, and its key is kept nowhere.
 */
export async function checkBroker(sources: Sources): Promise<Result<readonly Finding[]>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  const { data, mqtt, trustFile } = config.value;
  if (mqtt === undefined)
    return fail('noBroker', 'CARILLON_MQTT names no broker; the embedded one needs no check.');
  try {
    const authority = await openAuthority(join(data, 'authority'), Date.now());
    const uid = ulid(Date.now(), digest.random(10));
    const other = ulid(Date.now(), digest.random(10));
    const sh = shardOf(uid, digest.sha256);
    const tenant = ulid(Date.now(), digest.random(10));
    const { cert, key } = await authority.issueOwner(uid, Date.now());
    const branchOf = (of: string): string => `carillon/1/${sh}/${tenant}/broker-check/${of}`;
    const file = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'));
    const [ownCert, ownKey] = [file(mqtt.certFile), file(mqtt.keyFile)];
    return ok(
      await probeBroker({
        url: mqtt.url,
        ca: file(trustFile),
        owner: { ...(ownCert && { cert: ownCert }), ...(ownKey && { key: ownKey }) },
        host: { uid, cert, key, branch: branchOf(uid) },
        foreignBranch: branchOf(other),
        ownerTopic: cpStateTopic(sh),
      }),
    );
  } catch (cause) {
    return fail('notChecked', cause instanceof Error ? cause.message : String(cause));
  }
}
