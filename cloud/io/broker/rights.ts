import { CHECK_PLACE, cpStateTopic, shardOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import type { Authority } from '../authority/index.ts';
import { digest } from '../digest/index.ts';
import { type Finding, type ProbeSetting, probeBroker } from './probe.ts';

/** Tries whom a broker lets in and to what. The host that is tried is made up, and its key is kept nowhere. */
export async function probeRights(
  authority: Pick<Authority, 'issueOwner'>,
  broker: Pick<ProbeSetting, 'url' | 'ca' | 'owner'>,
): Promise<Finding[]> {
  const newId = () => ulid(Date.now(), digest.random(10));
  const uid = newId();
  const sh = shardOf(uid, digest.sha256);
  const { cert, key } = await authority.issueOwner(uid, Date.now());
  const branchOf = (of: string): string =>
    `carillon/1/${sh}/${CHECK_PLACE.tenant}/${CHECK_PLACE.siteId}/${of}`;
  return await probeBroker({
    ...broker,
    host: { uid, cert, key, branch: branchOf(uid) },
    foreignBranch: branchOf(newId()),
    ownerTopic: cpStateTopic(sh),
  });
}
