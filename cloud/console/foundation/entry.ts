/**
 * The script with which a page of the console begins; its name has a hash, so that it is another one in each version. Undefined:
 * the text is no page of the console.
 */
export const entryOf = (html: string): string | undefined =>
  /<script type="module"[^>]*\ssrc="([^"]+)"/.exec(html)?.[1];
