const KEPT = ['Via', 'From', 'Call-ID', 'CSeq'];

/** A 200 to a request as this program and this product write them: full names, no folded lines. */
export function okTo(request: string): string {
  const head = request.slice(0, request.indexOf('\r\n\r\n')).split('\r\n');
  let kept = '';
  for (const line of head) {
    const name = line.slice(0, line.indexOf(':'));
    if (KEPT.includes(name)) kept += `${line}\r\n`;
    else if (name === 'To') kept += line.includes(';tag=') ? `${line}\r\n` : `${line};tag=peer\r\n`;
  }
  return `SIP/2.0 200 OK\r\n${kept}Content-Length: 0\r\n\r\n`;
}
