import type { Messages } from '../messages.ts';

export const login: Messages['login'] = {
  title: 'ログイン',
  username: 'ユーザー名',
  password: 'パスワード',
  show: 'パスワードを表示',
  hide: 'パスワードを隠す',
  submit: 'ログイン',
  ended: 'セッションが終了しました。ログインすると続きから再開します。',
  restored: '復元が完了しました。ログインしてください。',
  later: '後で',
  trust: 'ブラウザーに証明書の警告が出る場合は、この農場の認証局を端末に登録してからページを開き直してください。',
  certificate: '認証局の証明書をダウンロード',
  code: '認証アプリのコード',
  recoveryCode: '回復コード',
  codeText: '{name}：認証アプリに今表示されている 6 桁の数字を入力してください。',
  recoveryText: '{name}：回復コードを 1 つ入力してください。各コードは一度だけ使えます。',
  useRecovery: '回復コードを使う',
  useCode: '認証アプリを使う',
  otherAccount: '最初からやり直す',
};
