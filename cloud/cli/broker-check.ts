import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { cloudConfig } from '../config.ts';
import { type Finding, probeRights, shownUrl } from '../io/broker/index.ts';
import { withAuthority } from './installation.ts';

/** `carillon broker check`: whether each broker that CARILLON_MQTT names does what we rely on and lets in whom it should. */
export async function checkBroker(sources: Sources): Promise<Result<readonly Finding[]>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  const { mqtt, trustFile } = config.value;
  if (mqtt === undefined)
    return fail('noBroker', 'CARILLON_MQTT names no broker; the embedded one needs no check.');
  try {
    return await withAuthority(config.value, async (authority) => {
      const file = (path: string | undefined) =>
        path === undefined ? undefined : readFileSync(path, 'utf8');
      const [cert, key] = [file(mqtt.certFile), file(mqtt.keyFile)];
      const owner = { ...(cert && { cert }), ...(key && { key }) };
      const findings: Finding[] = [];
      for (const url of mqtt.urls) {
        const found = await probeRights(authority, { url, ca: file(trustFile), owner });
        const at = mqtt.urls.length === 1 ? '' : `${shownUrl(url)}: `;
        findings.push(...found.map((each) => ({ ...each, sentence: `${at}${each.sentence}` })));
      }
      return ok(findings);
    });
  } catch (cause) {
    return fail('notChecked', cause instanceof Error ? cause.message : String(cause));
  }
}
