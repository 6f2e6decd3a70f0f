import { useLingui } from '@lingui/react/macro';
import qrcode from 'qrcode-generator';

/** The QR code as one path; the quiet zone is the frame's white. */
export function QrCode({ text, of }: { readonly text: string; readonly of: string }) {
  const { t } = useLingui();
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const cells = Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size] as const);
  const path = cells
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column + 4} ${row + 4}h1v1h-1z`)
    .join('');
  return (
    <svg className="qr" viewBox={`0 0 ${size + 8} ${size + 8}`} role="img" aria-label={t`QR code of ${of}`}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
