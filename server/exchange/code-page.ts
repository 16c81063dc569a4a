/** Encodings of national registries: what is not UTF-8 is CP949 (which WHATWG calls euc-kr), else Shift JIS. */
const guesses = ['utf-8', 'euc-kr', 'shift_jis'] as const;

/** WHATWG names of code pages whose number is not part of them. */
const codePages: Readonly<Record<string, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20932: 'euc-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

/**
 * Language drivers of dBASE (its byte 29), as ESRI lists them. Those of Western Europe are left out: programs write
 * them in whatever language the table is.
 */
const drivers: Readonly<Record<number, string>> = {
  0x13: 'shift_jis',
  0x4d: 'gbk',
  0x4e: 'euc-kr',
  0x4f: 'big5',
  0x78: 'big5',
  0x79: 'euc-kr',
  0x7a: 'gbk',
  0x7b: 'shift_jis',
  0x7c: 'windows-874',
  0x7d: 'windows-1255',
  0x7e: 'windows-1256',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
  0xcc: 'windows-1257',
};

/**
 * The encoding of the records of a .dbf, as WHATWG names it: what its .cpg says, else its language driver where they
 * are readable so, else the first guess in which they are.
 */
export function encodingOf(
  records: Buffer,
  { said = '', driver }: { said: string | undefined; driver: number },
): string {
  const driven = drivers[driver];
  const candidates = [...(driven === undefined ? [] : [driven]), ...guesses];
  return encodingNamed(said) ?? candidates.find((one) => canRead(records, one)) ?? 'latin1';
}

/** Of a .cpg, e.g. `UTF-8`, `1252`, `CP949`, `ISO 8859-1`, `88591`; undefined for what nobody can read. */
function encodingNamed(said: string): string | undefined {
  const name = said.trim().toLowerCase();
  if (/ks_?c|uhc/.test(name)) return 'euc-kr';
  if (/sjis/.test(name)) return 'shift_jis';
  const [, page = ''] = /^(?:cp|ansi|ms|windows|oem)?[ _-]?(\d+)$/.exec(name) ?? [];
  const iso = /^8859(\d\d?)$/.exec(page)?.[1];
  const labels = [codePages[page], iso && `iso-8859-${iso}`, page && `windows-${page}`, name.replaceAll(' ', '-')];
  return labels.find((label) => label !== undefined && label !== '' && isKnown(label));
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

function canRead(bytes: Buffer, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
