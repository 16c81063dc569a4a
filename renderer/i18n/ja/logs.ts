import type { Messages } from '../messages.ts';

export const logs: Messages['logs'] = {
  title: 'プログラムのログ',
  text: 'このサービスのプログラムが残した記録です。不具合を調べるときに見ます。パスワードやキーは含まれません。',
  filter: 'ログの絞り込み',
  level: '最低レベル',
  levels: { fatal: '致命的', error: 'エラー', warn: '警告', info: '情報', debug: '詳細', trace: 'すべて' },
  source: 'プログラム',
  sources: { service: 'サーバー', daemon: '制御サービス' },
  contains: '含む文字',
  none: 'まだ記録がありません',
  shown: '{n} 行',
  facts: {
    user: 'ユーザー',
    key_id: 'API キー',
    ms: '所要時間',
    request_id: 'リクエスト',
    count: '件数',
    lost: '失われた記録',
    reason: '理由',
    fault: '不具合',
    outcome: '結果',
    err: { type: 'エラーの種類', message: 'エラー', code: 'コード', stack: 'エラーの箇所' },
  },
};
