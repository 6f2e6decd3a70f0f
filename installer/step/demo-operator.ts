import type { Programs } from '../program.ts';
import type { DemoStage } from './demo-stage.ts';
import { DEMO_DOMAIN, DEMO_OPERATOR } from './demo-tenant.ts';

const GREETING = 'Hello, this is the alarm receiving centre. Help is on its way.';

/** Opens the telephone of the operator, who answers every call, greets and hangs up. */
export async function openDemoOperator(
  { programs, to, telephonePassword: password }: DemoStage,
  onStep: (step: { readonly text: string }) => void,
): ReturnType<Programs['openPhone']> {
  const operator = await programs.openPhone({
    to,
    transport: 'udp',
    domain: DEMO_DOMAIN,
    password,
    user: DEMO_OPERATOR,
    srtp: 'negotiated',
    says: { text: GREETING },
    onStep,
  });
  operator.answer(300, () => undefined);
  return operator;
}
