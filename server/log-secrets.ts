const hidden = '***';

/** Names whose value never enters a log, as they stand in JSON, also in JSON inside a text. */
const named =
  /("(?:password|current_password|passphrase|api_key|x-api-key|key|token|setup_token|csrf_token|secret|authorization|cookie|totp)\\{0,4}":\s?\\{0,4}")[^"\\]+/gi;
const inQuery = /([?&](?:api_key|apikey|appid|key|token)=)[^&\s"\\]+/gi;
const credentials = /\b(basic|bearer) [\w+/=.~-]{8,}/gi;
const inAddress = /(:\/\/)[^\s/@"\\]{1,200}@/g;

/** A log line without credentials: logs are shown, copied and sent to others. */
export function withoutSecrets(line: string): string {
  return line
    .replace(named, `$1${hidden}`)
    .replace(inQuery, `$1${hidden}`)
    .replace(credentials, `$1 ${hidden}`)
    .replace(inAddress, `$1${hidden}@`);
}
