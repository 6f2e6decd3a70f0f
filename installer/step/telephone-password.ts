import { demoFact } from '../io/file/demo-facts.ts';

/** Help of `--password`. */
export const PASSWORD = 'digest password (default: that of the demo of this folder)';

/**
 * The password that a simulated telephone proves itself with. A telephone of the demo tenant has that of the demo of this folder, so that a
 * newcomer types none. No other side learns it, because a digest does not contain it.
 */
export function passwordOf(
  flags: { readonly domain: string; readonly password?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (flags.password !== undefined || demoFact(environment, 'domain') !== flags.domain) return flags.password;
  return demoFact(environment, 'telephonePassword');
}
