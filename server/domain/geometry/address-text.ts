/** Unicode hyphens and the long vowel sign, as they occur between the numbers of a lot. */
const hyphens = /[\u2010-\u2015\u2212\u30fc\uff70](?=\d)/g;
/** Maximum characters after the number of a lot: 12-3대, 12-3番地. */
const mostAfter = 2;
/** A number followed by one of these is not a lot: 제12리, 종로1가, 12번길, 1丁目, 3条. */
const placeEndings = /^(리|동|가|로|길|번길|읍|면|호선|지구|공구|丁目?|町|条|線|区|通)/;

/** The common form of an address's spellings: width, letter case, kind of hyphen and spaces do not matter. */
export function foldAddress(text: string): string {
  return normal(text).replaceAll(/[\s,]+/g, '');
}

/** The parts that an address must contain, folded; none when there is nothing to search for. */
export function addressTerms(text: string): string[] {
  return normal(text)
    .split(/[\s,]+/)
    .filter((term) => term !== '');
}

/** The lot at the end of an address, e.g. 12-3 or 산12; empty when there is none. */
export function lotOf(text: string): string {
  const signs = [...foldAddress(text)];
  const end = signs.findLastIndex(isDigit) + 1;
  const after = signs.slice(end).join('');
  if (end === 0 || signs.length - end > mostAfter || placeEndings.test(after)) return '';
  const before = signs.slice(0, end).findLastIndex((sign) => sign !== '-' && !isDigit(sign));
  const start = signs[before] === '산' ? before : before + 1; // a hill has numbers of its own
  return signs.slice(start, end).join('');
}

const isDigit = (sign: string): boolean => sign >= '0' && sign <= '9';

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(hyphens, '-');
}
