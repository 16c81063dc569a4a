import type { Messages } from '../messages.ts';

export const methods: Messages['methods'] = {
  title: '시간에 따른 설정값',
  text: 'PID와 출력이 따르는 곡선입니다. 앞으로 24시간의 값이 그려집니다.',
  add: '곡선 추가',
  drawn: '하루의 점: 끌어서 옮기거나 화살표 키로 옮깁니다',
  at: '시각',
  addPoint: '점 추가',
  removePoint: '{at}의 점 제거',
  noSetpoint: '앞으로 24시간 동안 설정값이 없습니다',
  range: '{least} ~ {most}',
  next24: '앞으로 24시간의 ‘{name}’',
  deleteText: '이 곡선을 따르는 것은 먼저 다른 것을 따라야 합니다.',
  deactivateText: '다시 활성화할 때까지 이 곡선을 따르는 것에는 설정값이 없습니다.',
  kinds: {
    date: '날짜별',
    daily: '매일',
    sine: '매일, 사인 곡선',
    bezier: '매일, 부드러운 곡선',
    duration: '시작부터',
    cascade: '다른 곡선의 조합',
    sun: '해의 위치',
  },
  fields: {
    name: '이름',
    unit: '단위',
    shape: '점과 점 사이',
    kind: '기준',
  },
  help: {
    unit: '값의 단위. 숫자 뒤에 쓰는 대로: C, %, ppm',
    shape: '계단은 다음 점까지 값을 유지합니다',
  },
  choices: { shape: { linear: '직선', step: '계단' } },
};
