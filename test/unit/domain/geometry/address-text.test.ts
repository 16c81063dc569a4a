import { expect, it } from 'vitest';
import { addressTerms, foldAddress, lotOf } from '../../../../server/domain/geometry/address-text.ts';

it.each([
  ['경기도 화성시 송산면 12-3대', '경기도화성시송산면12-3대', '12-3'],
  ['송산면 산 12-3 임', '송산면산12-3임', '산12-3'],
  ['山梨県甲府市丸の内一丁目１２－３番地', '山梨県甲府市丸の内一丁目12-3番地', '12-3'],
  ['丸の内 1ー2', '丸の内1-2', '1-2'],
  ['Orchard Lane 12', 'orchardlane12', '12'],
  ['12 Orchard Lane, Ely', '12orchardlaneely', ''],
  ['', '', ''],
  ['7', '7', '7'],
  ['송산면 제12리', '송산면제12리', ''],
  ['종로1가', '종로1가', ''],
  ['정조로777번길', '정조로777번길', ''],
  ['大手町1丁目', '大手町1丁目', ''],
  ['北1条', '北1条', ''],
])('%s is searched as %s, with the lot %s', (address, folded, lot) => {
  expect([foldAddress(address), lotOf(address)]).toEqual([folded, lot]);
});

it('an address has its parts at spaces and commas', () => {
  expect(addressTerms(' Orchard  Lane, 12 ')).toEqual(['orchard', 'lane', '12']);
});
