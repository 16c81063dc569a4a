export const login = {
  title: 'Log in',
  username: 'User name',
  password: 'Password',
  show: 'Show password',
  hide: 'Hide password',
  submit: 'Log in',
  ended: 'Your session has ended. Log in to continue where you left off.',
  trust:
    'If the browser warns about the certificate, install the site’s own certificate authority on this device and open the page again.',
  certificate: 'Download the certificate authority',
  code: 'Authenticator code',
  recoveryCode: 'Recovery code',
  codeText: '{name}: type the six digits shown in your authenticator app.',
  recoveryText: '{name}: type one of your recovery codes. Each works once.',
  useRecovery: 'Use a recovery code instead',
  useCode: 'Use the authenticator instead',
  otherAccount: 'Start again',
};
