import type { Messages } from '../messages.ts';

export const safety: Messages['safety'] = {
  title: '안전',
  text: '누가 명령하든 출력을 막는 규칙입니다. 비상 정지가 무엇보다 우선합니다.',
  now: {
    title: '지금 막고 있는 것',
    text: '제어 서비스가 지금 알려 주는 그대로입니다.',
    none: '막고 있는 규칙도 수동 고정도 없습니다.',
    away: '제어 서비스가 응답하지 않아 무엇이 막혀 있는지 알 수 없습니다.',
  },
  limits: {
    title: '날씨와 온도',
    text: '이 값을 넘으면 온실이 알람을 내고 제어 서비스가 모든 명령에 앞서 바로 움직입니다. 다음 측정부터 적용됩니다.',
    acts: {
      wind_m_s: '바람이 이 값의 9할 아래로 5분 동안 내려갈 때까지 천창과 측창을 닫음',
      rain: '비가 그치고 5분이 지날 때까지 천창과 측창을 닫음. 센서의 단위',
      frost_c: '온실이 1분 동안 1도 더 따뜻해질 때까지 창을 닫음',
      over_temperature_c: '온실이 1분 동안 1도 더 시원해질 때까지 난방을 멈춤',
    },
  },
  control: {
    title: '자동 제어',
    stale: '말이 없는 센서',
    staleText:
      '측정값은 센서 주기의 {periods}배, 적어도 {seconds}초 동안 믿습니다. 믿을 만한 실내 온도계나 풍속계가 없으면 프로그램이 움직이는 것은 안전 상태로 가며, 사람은 계속 조작할 수 있습니다.',
    hold: '수동 명령 유지 시간',
    holdText: '자동 제어 중인 출력을 사람이 조작하면 이 시간 동안 자동 제어가 기다립니다. {range}, 0: 기다리지 않음.',
  },
  current: {
    title: '사이트 전류',
    name: '전류 한도',
    text: '켜져 있는 것과 합쳐 이 값을 넘게 되는 것은 켜지 않습니다. 이미 켜진 것은 그대로 둡니다.',
    none: '한도 없음',
    now: '지금 켜져 있거나 알 수 없음: {drawn}. 세는 출력이 없습니다. | 지금 켜져 있거나 알 수 없음: {drawn}. 전류를 아는 출력 {n}개를 셉니다. | 지금 켜져 있거나 알 수 없음: {drawn}. 전류를 아는 출력 {n}개를 셉니다.',
  },
  interlocks: {
    title: '인터록',
    text: '한 출력이 켜져 있거나 열려 있는 동안 다른 출력을 막습니다. 예: 천창을 연 채 난방하지 않기.',
    none: '아직 인터록이 없습니다.',
    add: '인터록 추가',
    addTitle: '인터록 추가',
    editTitle: '‘{name}’ 변경',
    edit: '편집',
    editOf: '인터록 ‘{name}’ 변경',
    removeOf: '인터록 ‘{name}’ 삭제',
    removeTitle: '‘{name}’을(를) 삭제할까요?',
    removeText: '그러면 두 출력이 동시에 켜질 수 있습니다.',
    whileOutput: '이 출력이',
    above: '이 값보다 크면',
    aboveHint: '0~100 %, 켜짐은 100 %로 셈',
    forbids: '켤 수 없는 출력',
    mutual: '반대로도 막음',
    says: '{one} 출력이 {above}보다 크면 {other} 출력을 켤 수 없음.',
    saysMutual: '{one} 출력이 {above}보다 크면 {other} 출력을 켤 수 없고, 반대로도 막음.',
    same: '서로 다른 두 출력을 고르세요.',
    gone: '없어진 출력',
  },
};
