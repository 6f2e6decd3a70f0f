/** The address in a QR code of the console. */
export interface ClaimText {
  readonly cloud: string;
  readonly code: string;
}

/** The command that the console shows, or `https://cloud.example/…?claim=CODE`: undefined when it is neither. */
export function claimOfText(text: string): ClaimText | undefined {
  const word = (flag: string): string | undefined => new RegExp(`--${flag}[ =](\\S+)`).exec(text)?.[1];
  const [cloud, claim] = [word('cloud'), word('claim')];
  if (cloud !== undefined && claim !== undefined) return { cloud, code: claim };
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const code =
    url.searchParams.get('claim') ?? new URLSearchParams(url.hash.split('?')[1] ?? '').get('claim');
  return code === null ? undefined : { cloud: url.origin, code };
}
