export const login = {
  title: 'Log in',
  username: 'User name',
  password: 'Password',
  show: 'Show password',
  hide: 'Hide password',
  submit: 'Log in',
  ended: 'Your session has ended. Log in to go on where you were.',
  trust:
    'If the browser warns about the certificate, install the site’s own certificate authority on this device and open the page again.',
  certificate: 'Download the certificate authority',
  code: 'Code of the authenticator',
  recoveryCode: 'Recovery code',
  codeText: '{name}: type the six digits that your authenticator app shows now.',
  recoveryText: '{name}: type one of your recovery codes. Each is good once.',
  useRecovery: 'Use a recovery code instead',
  useCode: 'Use the authenticator instead',
  otherAccount: 'Begin again',
};
