import type { LaterMessages } from '../messages.ts';

export const simulation: LaterMessages['simulation'] = {
  open: '이 온실을 가상으로 운전',
  title: '‘{name}’ 온실을 가상으로 운전',
  text: '그린 그대로의 크기, 피복재, 개구부, 커튼, 환기팬을 따르는 가상 센서와 구동기를 온실에 연결합니다. 나중에 도면을 고치면 가상 온실도 함께 바뀝니다. 실제 장치는 움직이지 않습니다.',
  textOn: '이 온실의 값은 모델에서 나옵니다. 도면이나 장비 용량을 바꾸면 모델도 함께 바뀝니다.',
  others: '한 온실에 실제 장치와 가상 장치를 섞어 쓸 수 없습니다. 먼저 이 장치의 연결을 해제하세요: {names}',
  equipment: '장비',
  sensors: '실내 환경 센서와 기상대는 항상 들어갑니다.',
  crop: '온실의 작물',
  speed: '진행 속도',
  speeds: { one: '실제 속도', some: '{n}배 빠르게' },
  speedHint:
    '빠르게 하면 한 시간이 몇 분 만에 지나갑니다. 환경 제어 프로그램은 실제 시계를 따르므로 함께 쓸 때는 실제 속도를 고르세요.',
  weather: '날씨',
  made: '이 지역의 평년 날씨',
  make: '가상 운전 시작',
  done: '‘{name}’ 온실을 가상으로 운전합니다.',
  changed: '가상 운전 설정을 바꿨습니다.',
  remove: '가상 운전 끝내기',
  removeText: '가상 장치를 삭제하고 온실과의 연결도 해제합니다. 도면과 환경 제어 프로그램은 남습니다.',
  removed: '가상 운전을 끝냈습니다.',
};
