import type { Messages } from '../messages.ts';

export const overview: Messages['overview'] = {
  title: '概要',
  maps: '地図',
  houses: '温室',
  shapes: '図形 {n} 個',
  housesOn: '温室 {n} 棟',
  noMaps: '地図がまだありません',
  noMapsText: '地図には敷地の輪郭、温室、各機器の位置が入ります。',
  newMap: '新しい地図',
  noHouses: '設定済みの温室がまだありません',
  noHousesText: '地図に温室の輪郭を描き、大きさ・被覆材・センサー・機器を設定します。',
  drawHouse: '地図に描く',
  edited: '{time} に変更',
  indoor: '室内',
  outdoor: '屋外',
  running: '運転中',
  nothingRuns: '運転中の機器なし',
  alerts: '警報 {n} 件',
};
