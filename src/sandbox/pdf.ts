/** Line of text; size in points. */
interface PdfLine {
  readonly text: string;
  /** @default 11 */
  readonly size?: number;
}

/** A4 in points. */
const PAGE = { width: 595, height: 842, margin: 60 };

/** Writes a text literal; WinAnsi, the font's encoding, equals Latin-1 for all Spanish letters. */
const literal = (text: string): string => `(${text.replace(/[\\()]/g, '\\$&')})`;

function content(lines: readonly PdfLine[]): string {
  let y = PAGE.height - PAGE.margin;
  const shown = lines.map(({ text, size = 11 }) => {
    y -= size * 1.6;
    return `/F1 ${size} Tf 1 0 0 1 ${PAGE.margin} ${y.toFixed(1)} Tm ${literal(text)} Tj`;
  });
  return `BT\n${shown.join('\n')}\nET`;
}

/** Creates a PDF of one A4 page with lines of text from the top; characters outside Latin-1 become `?`. */
export function onePagePdf(lines: readonly PdfLine[]): Buffer {
  const stream = content(lines).replace(/[^\n\x20-\xff]/g, '?');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
      '/Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
