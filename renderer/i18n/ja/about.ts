import type { Messages } from '../messages.ts';

export const about: Messages['about'] = {
  title: 'Orangery について',
  text: 'このプログラムと、使っている公開パッケージ、不具合のときに送る資料です。',
  version: 'バージョン {version}',
  licence: 'MIT ライセンスのフリーソフトウェアです。',
  desktop: {
    title: 'このアプリケーション',
    hosted:
      '制御はこのアプリケーションの中で動いています。ウィンドウを閉じても続き、アプリケーションの終了、ログアウト、電源オフで止まります。',
    deadMan:
      'アプリケーションが強制終了されると、出力は機器のデッドマンタイマーに任されます。制御を切らせない温室では、このコンピューターに orangery-headless パッケージを入れてください。コンピューターと一緒に起動し、このアプリケーションはその画面になります。',
    attached: '制御はこのコンピューターのサービスで動いています。このアプリケーションが動いていなくても続きます。',
    login: 'ログイン時にウィンドウなしで開く',
    notify: '警報をシステムの通知で表示',
    kiosk: 'キオスク：メニューなしの全画面（Ctrl+Shift+F11）',
    folder: 'データフォルダーを表示',
    window: '新しいウィンドウ',
  },
  support: {
    title: 'サポートファイル',
    text: '不具合を調べるための資料です。自動では送信しません。それぞれの中身を確かめ、渡したくないものを外してから、ファイルに保存してください。',
    collect: '集める',
    save: 'ファイルに保存',
    none: '項目を 1 つ以上選んでください',
    contents: 'サポートファイルの項目',
    parts: {
      program: 'プログラムとブラウザー',
      health: 'サーバーの状態',
      daemon: '制御サービスの状態',
      log: 'プログラムのログ、最新 500 行',
    },
    missing: '読み取れません：{reason}',
    lines: '{n} 行',
  },
  parts: {
    title: 'オープンソースパッケージ',
    text: 'Orangery は次のパッケージで作られています。感謝します。',
    filter: '絞り込み',
    none: '該当なし',
    shown: 'パッケージ {n} 件',
    texts: 'ライセンス全文',
    bill: 'ソフトウェア部品表（CycloneDX）',
  },
};
