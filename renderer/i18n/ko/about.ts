import type { Messages } from '../messages.ts';

export const about: Messages['about'] = {
  title: '정보',
  text: '이 프로그램, 사용한 오픈 소스 패키지, 문제가 생겼을 때 보낼 자료입니다.',
  version: '버전 {version}',
  licence: 'MIT 라이선스로 제공되는 자유 소프트웨어입니다.',
  desktop: {
    title: '이 프로그램',
    hosted:
      '제어가 이 프로그램 안에서 실행됩니다. 창을 닫아도 계속되며, 프로그램을 종료하거나 로그아웃하거나 컴퓨터를 끄면 멈춥니다.',
    deadMan:
      '프로그램이 강제로 종료되면 출력은 장치의 데드맨 타이머에 맡겨집니다. 제어가 끊기면 안 되는 온실이라면 이 컴퓨터에 orangery-headless 패키지를 설치하세요. 컴퓨터와 함께 시작되고, 이 프로그램은 그 창이 됩니다.',
    attached: '제어가 이 컴퓨터의 서비스에서 실행됩니다. 이 프로그램이 실행 중이 아니어도 계속됩니다.',
    login: '로그인할 때 창 없이 열기',
    notify: '경보를 시스템 알림으로 표시',
    kiosk: '키오스크: 메뉴 없이 전체 화면(Ctrl+Shift+F11)',
    folder: '데이터 폴더 보기',
    window: '새 창',
  },
  support: {
    title: '지원 파일',
    text: '문제를 찾는 데 필요한 자료입니다. 자동으로 보내지 않습니다. 각 항목을 확인하고 전달하지 않을 것은 뺀 다음 파일로 저장하세요.',
    collect: '모으기',
    save: '파일 저장',
    none: '항목을 하나 이상 선택하세요',
    contents: '지원 파일의 항목',
    parts: {
      program: '프로그램과 브라우저',
      health: '서버 상태',
      daemon: '제어 서비스 상태',
      log: '프로그램 로그, 최근 500줄',
    },
    missing: '읽을 수 없음: {reason}',
    lines: '{n}줄',
  },
  parts: {
    title: '오픈 소스 패키지',
    text: 'Orangery는 다음 패키지로 만들었습니다. 고맙습니다.',
    filter: '패키지 검색',
    none: '맞는 것이 없습니다',
    shown: '패키지 {n}개',
    texts: '라이선스 전문',
    bill: '소프트웨어 구성 명세(CycloneDX)',
  },
};
