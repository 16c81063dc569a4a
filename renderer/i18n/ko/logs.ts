import type { Messages } from '../messages.ts';

export const logs: Messages['logs'] = {
  title: '프로그램 로그',
  text: '이 서비스의 프로그램이 남긴 기록입니다. 고장 원인을 찾을 때 봅니다. 비밀번호와 키는 들어 있지 않습니다.',
  filter: '로그 필터',
  level: '최소 수준',
  levels: { fatal: '치명적', error: '오류', warn: '경고', info: '정보', debug: '상세', trace: '전부' },
  source: '프로그램',
  sources: { service: '서버', daemon: '제어 서비스' },
  contains: '포함하는 글',
  none: '아직 기록이 없습니다',
  shown: '{n}줄',
  facts: {
    user: '사용자',
    key_id: 'API 키',
    ms: '걸린 시간',
    request_id: '요청',
    count: '개수',
    lost: '잃은 기록',
    reason: '이유',
    fault: '고장',
    outcome: '결과',
    err: { type: '오류 종류', message: '오류', code: '코드', stack: '오류가 난 곳' },
  },
};
