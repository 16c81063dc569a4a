import type { Messages } from '../messages.ts';

export const overview: Messages['overview'] = {
  title: '개요',
  maps: '지도',
  houses: '온실',
  shapes: '도형 {n}개',
  housesOn: '온실 {n}동',
  noMaps: '아직 지도가 없습니다',
  noMapsText: '지도에는 부지의 윤곽, 온실, 각 장치의 위치가 담깁니다.',
  newMap: '새 지도',
  noHouses: '아직 설정된 온실이 없습니다',
  noHousesText: '지도에 온실의 윤곽을 그린 뒤 크기, 피복재, 센서와 구동기를 설정하세요.',
  drawHouse: '지도에 그리기',
  edited: '{time} 변경',
  indoor: '실내',
  outdoor: '실외',
  running: '작동 중',
  nothingRuns: '작동 중인 장치 없음',
  alerts: '경보 {n}건',
};
