import type { Messages } from '../messages.ts';

export const login: Messages['login'] = {
  title: '로그인',
  username: '사용자 이름',
  password: '비밀번호',
  show: '비밀번호 표시',
  hide: '비밀번호 숨기기',
  submit: '로그인',
  ended: '세션이 끝났습니다. 로그인하면 하던 곳에서 이어집니다.',
  restored: '복원을 마쳤습니다. 로그인하면 이어집니다.',
  later: '나중에',
  trust: '브라우저에 인증서 경고가 나타나면 이 농장의 인증 기관을 이 기기에 설치한 뒤 페이지를 다시 여세요.',
  certificate: '인증 기관 내려받기',
  code: '인증 앱의 코드',
  recoveryCode: '복구 코드',
  codeText: '{name}: 인증 앱에 지금 표시된 여섯 자리 숫자를 입력하세요.',
  recoveryText: '{name}: 복구 코드 하나를 입력하세요. 각 코드는 한 번만 쓸 수 있습니다.',
  useRecovery: '복구 코드로 로그인',
  useCode: '인증 앱으로 로그인',
  otherAccount: '처음부터 다시',
};
