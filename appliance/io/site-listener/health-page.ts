import { figureText } from './figure-text.ts';

/** The report of the appliance about itself over HTTPS: whether it lives, whether it can serve, and in figures. */
export interface HealthInfo {
  /** Why it cannot serve; empty = it can. A missing WAN is none of them. */
  readonly reasons: () => readonly string[];
  /** Legs that could be opened now; absent: unknown. A host without any can serve: it says so to each call. */
  readonly freeLegs?: () => { readonly ordinary: number; readonly alarm: number };
  /** It can serve, and is not about to leave: it may have the address that the hosts of a site share. */
  readonly mayHaveAddress: () => boolean;
  /** Names of the figures without the product's prefix, and their values. */
  readonly figures: () => Readonly<Record<string, number>>;
  /** Further figures as text of the same format; absent: there are none. */
  readonly families?: () => string;
}

/** `/healthz`, `/readyz`, `/vipz` and `/metrics`; everything else is 404 with the body of every failure. */
export function answerHealth(request: Request, facts: HealthInfo): Response {
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET') {
    return Response.json(
      {
        success: false,
        reason: 'The request is refused: this path takes GET only. Send GET.',
        error: { code: 'methodNotAllowed' },
      },
      { status: 405, headers: { allow: 'GET' } },
    );
  }
  if (pathname === '/healthz') return Response.json({ success: true });
  if (pathname === '/readyz') {
    const reasons = facts.reasons();
    return Response.json(
      { success: reasons.length === 0, reasons, ...(facts.freeLegs && { freeLegs: facts.freeLegs() }) },
      { status: reasons.length === 0 ? 200 : 503 },
    );
  }
  if (pathname === '/vipz') {
    const success = facts.mayHaveAddress();
    return Response.json({ success, reasons: facts.reasons() }, { status: success ? 200 : 503 });
  }
  if (pathname === '/metrics') {
    return new Response(`${figureText(facts.figures())}${facts.families?.() ?? ''}`, {
      headers: { 'content-type': 'text/plain; version=0.0.4' },
    });
  }
  return Response.json(
    {
      success: false,
      reason: `The path ${pathname} does not exist. Check the path.`,
      error: { code: 'notFound' },
    },
    { status: 404 },
  );
}
