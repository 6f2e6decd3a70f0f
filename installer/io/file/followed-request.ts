import { readFileSync, rmSync } from 'node:fs';
import { layout } from '../../plan/index.ts';
import { writeDurably } from './durable-file.ts';

/** The request of the control plane that root is carrying out. */
export interface FollowedRequest {
  readonly twinRev: number;
  readonly networkInterfaces: readonly string[];
  readonly networkPrefixLength?: number;
}

/** On the disk when it returns: whoever comes after a cut can say what was under way. */
export const keepFollowed = (request: FollowedRequest, place: string = layout.followed): void =>
  writeDurably(place, `${JSON.stringify(request)}\n`);

/** Takes the request that was cut, and no command follows it any more; undefined: none was. */
export function takeFollowed(place: string = layout.followed): FollowedRequest | undefined {
  try {
    const { twinRev, networkInterfaces, networkPrefixLength } = JSON.parse(
      readFileSync(place, 'utf8'),
    ) as Partial<FollowedRequest>;
    if (typeof twinRev !== 'number' || !Array.isArray(networkInterfaces)) return undefined;
    return {
      twinRev,
      networkInterfaces,
      ...(typeof networkPrefixLength === 'number' && { networkPrefixLength }),
    };
  } catch {
    return undefined;
  } finally {
    rmSync(place, { force: true });
  }
}
