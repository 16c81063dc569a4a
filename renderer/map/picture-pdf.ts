/** A4, landscape, in points. */
const page = { width: 842, height: 595, margin: 24 };

interface Picture {
  jpeg: Uint8Array;
  /** In its own points. */
  width: number;
  height: number;
}

/**
 * A page for each picture (ISO 32000-1, 7.5). Own code: packages that write PDF bring some 300 kB for these few
 * objects.
 */
export function pdfOfPictures(pictures: readonly Picture[]): Blob {
  const encoder = new TextEncoder();
  const kids = pictures.map((_, at) => `${3 + 3 * at} 0 R`).join(' ');
  const objects: (string | Uint8Array)[][] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    [`<< /Type /Pages /Kids [${kids}] /Count ${pictures.length} >>`],
    ...pictures.flatMap((picture, at) => objectsOf(picture, 3 + 3 * at)),
  ];
  const parts: Uint8Array[] = [encoder.encode('%PDF-1.4\n')];
  const lengthSoFar = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  const places: number[] = [];
  for (const [index, content] of objects.entries()) {
    places.push(lengthSoFar());
    for (const part of [`${index + 1} 0 obj\n`, ...content, '\nendobj\n']) {
      parts.push(typeof part === 'string' ? encoder.encode(part) : part);
    }
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${lengthSoFar()}\n%%EOF\n`;
  parts.push(encoder.encode(end));
  return new Blob(
    parts.map((part) => new Uint8Array(part)),
    { type: 'application/pdf' },
  );
}

/** The page, its drawing and its image; `first` is the number of the page. */
function objectsOf({ jpeg, width, height }: Picture, first: number): (string | Uint8Array)[][] {
  const scale = Math.min((page.width - 2 * page.margin) / width, (page.height - 2 * page.margin) / height);
  const [drawnWidth, drawnHeight] = [width * scale, height * scale];
  const at = [(page.width - drawnWidth) / 2, (page.height - drawnHeight) / 2];
  const drawing = `q ${[drawnWidth, 0, 0, drawnHeight, ...at].map((one) => one.toFixed(2)).join(' ')} cm /P Do Q`;
  const image = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`;
  return [
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents ${first + 1} 0 R /Resources << /XObject << /P ${first + 2} 0 R >> >> >>`,
    ],
    [`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`],
    [`${image}\nstream\n`, jpeg, '\nendstream'],
  ];
}
