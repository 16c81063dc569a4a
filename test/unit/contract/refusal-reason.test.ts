import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../renderer/i18n/index.ts';
import { generalCodes } from '../../../renderer/stores/notice.ts';
import { Refusal, refuseField } from '../../../server/contract/errors.ts';
import { language } from '../../../server/contract/language.ts';
import { refusalReasons, why } from '../../../server/contract/refusal-reason.ts';

const placesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place ?? '');

describe.each(language.options)('refusals in %s', (shown) => {
  it.each(Object.entries(refusalReasons))('%s has words, which name its values alone', async (reason, english) => {
    const words = new Map(Object.entries((await messagesOf(shown)).refusals)).get(reason) ?? '';
    expect(words).not.toBe('');
    expect(placesOf(english)).toEqual(expect.arrayContaining(placesOf(words)));
  });
});

it('a refusal has its reason and values beside the English sentence', () => {
  const whole = new Refusal('conflict', why('too_many_views', { most: 50 }), { members: { users: [] } });
  expect(whole.message).toBe('a user has at most 50 views of trends');
  expect(whole.members).toEqual({ why: 'too_many_views', values: { most: 50 }, users: [] });
  const field = refuseField('unknown_reference', 'output_id', why('no_such_output'));
  const said = { message: 'is no output that exists', why: 'no_such_output' };
  expect(field.errors).toEqual([{ path: 'output_id', code: 'unknown_reference', ...said }]);
});

it('lists names for programs as text, and one by one for pages', () => {
  const { message, values, names } = why('used_by', { names: ['Roof vent', 'Fan "east"'] });
  expect(message).toBe('used by "Roof vent", "Fan "east""');
  expect(values).toEqual({ names: '"Roof vent", "Fan "east""' });
  expect(names).toEqual(['Roof vent', 'Fan "east"']);
});

type Refused = Readonly<Record<string, readonly string[]>>;

/** Fields that programs alone send wrong, by file: a page offers what is right, or sends none. */
const ofPrograms: Refused = {
  'api/checks/body.ts': ['file', 'file'],
  'api/input.ts': ['name'],
  'api/page.ts': ['cursor'],
  'api/routes/parcel.ts': ['async'],
  'api/routes/pipe.ts': ['async'],
  'services/account/change.ts': ['current_password', 'current_password'],
  'services/alarm/alarm.ts': ['cursor'],
  'services/device/climate.ts': ['from'],
  'services/device/controller.ts': ['value'],
  'services/device/driver-channels.ts': ['driver'],
  'services/device/function.ts': ['command'],
  'services/device/input.ts': ['{path}.measurement', '{path}.measurement_id', '{path}.unit'],
  'services/device/method.ts': ['to', 'to'],
  'services/device/output-command.ts': ['second', 'first'],
  'services/device/pid-rehearsal.ts': ['side'],
  'services/facility/apply.ts': ['actions[{index}]', 'actions[{index}].duration_s'],
  'services/facility/rehearsal.ts': ['weather_file'],
  'services/live/event.ts': ['kinds'],
  'services/map/read.ts': ['cursor', 'bbox'],
  'services/measurement/analytics.ts': ['upper_c', 'high_kpa', 'measurement_id', 'path', 'from'],
  'services/measurement/csv.ts': ['columns', 'decimals'],
  'services/measurement/measurement.ts': ['bucket', 'measurement_id', 'time', 'unit'],
  'services/pipe/hydraulics.ts': ['hydraulics.devices[{at}].device_id', 'hydraulics.groups[{at}]', 'field'],
  'services/pipe/site.ts': ['source_device_id'],
  'services/proxy/proxy.ts': ['url', 'url', 'layer', 'z'],
  'services/proxy/wms.ts': ['i', 'j', 'bbox'],
  'services/record/audit.ts': ['cursor'],
  'services/record/file-parts.ts': ['file'],
  'services/record/log.ts': ['cursor'],
  'services/record/note.ts': ['cursor'],
  'services/setting/secret.ts': ['{path}.unique_id'],
};

/** Texts that are passed on: of a device, an outside service or a single field, or of a fault of the page itself. */
const passedOn: Refused = {
  'api/routes/health.ts': ['the control daemon does not answer'],
  'auth/lock-out.ts': ['{detail}, try again in {seconds} s'],
  'contract/errors.ts': ['{fault.path} {fault.message}', '{path} {said.message}', '{path} {message}'],
  'contract/field-errors.ts': ["first ? `{first.path} {first.message}`.trim() : 'invalid input"],
  'contract/json-body.ts': [
    'the body is not JSON in UTF-8',
    'the body is nested deeper than {deepestJson}',
    '{path} is not a known field',
  ],
  'measurement/sqlite/cancelling.ts': ['the call was cancelled'],
  'services/account/login.ts': ['detail'],
  'services/alarm/alarm.ts': ['message'],
  'services/commissioning/commissioning.ts': ['message'],
  'services/device/controller.ts': ['message', 'message', 'message'],
  'services/device/function.ts': ['String(answer)'],
  'services/device/output-command.ts': ['answer.message'],
  'services/facility/apply.ts': ['{binding.name}: {error.message}'],
  'services/live/daemon-port.ts': ['message', 'message'],
  'services/map/design-save.ts': ["a new map needs {missing.join(', ')}"],
  'services/map/feature-intake.ts': ['{first.path} {first.message}'],
  'services/notification/target.ts': ['result.message'],
  'services/parcel/vworld.ts': ["it answered {code || 'an error'}"],
  'services/pipe/site.ts': ['{ids.length} of the devices: {about.message}', 'geo_id {said.message}'],
  'services/proxy/refusal.ts': ['error.message'],
  'worker/client.ts': ['detail'],
};

/** Refusals that no page has words for, as the field or the text that they name in the source. */
function plainRefusals(file: string, by: 'refusePlainly' | 'Refusal'): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(source) === by) {
      const [code, said] = node.arguments ?? [];
      const isGeneral = code !== undefined && !(ts.isStringLiteral(code) && !general.has(code.text));
      const text = said?.getText(source) ?? '';
      if (isGeneral && !/\bwhy\b|^said$/.test(text))
        found.push(text.replaceAll(/^['`]|['`]$/g, '').replaceAll('${', '{'));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const general: ReadonlySet<string> = generalCodes;

it.each([
  ['refusePlainly', ofPrograms],
  ['Refusal', passedOn],
] as const)('%s refuses without a reason only what no page meets', (by, known) => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.ts'));
  const all = files.map((file) => [file, plainRefusals(`server/${file}`, by)] as const);
  expect(Object.fromEntries(all.filter(([, found]) => found.length > 0))).toEqual(known);
});
