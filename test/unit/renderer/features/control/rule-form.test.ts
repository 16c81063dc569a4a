import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionalCreate, type Conditional } from '../../../../../server/contract/conditional.ts';
import { triggerCreate, triggerPatch, type Trigger } from '../../../../../server/contract/trigger.ts';
import { numbered } from '../../../../../renderer/features/devices/form/field-rules.ts';
import { faultsOf } from '../../../../../renderer/features/devices/form/field-faults.ts';
import { branchesOf, groupOf, sharedOf } from '../../../../../renderer/features/devices/form/option-schema.ts';
import {
  checkBody,
  conditionalBody,
  conditionalSchema,
  identified,
  ruleForm,
  triggerBody,
  triggerSchema,
} from '../../../../../renderer/features/control/rule-form.ts';

const id = (n: number): string => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;

const warm: Trigger = {
  unique_id: id(1),
  name: 'Too warm',
  is_activated: false,
  kind: 'edge',
  missed: 'run',
  measurement: { device_id: id(2), measurement_id: id(3), max_age_s: 60 },
  level: 30,
  direction: 'rising',
  hysteresis: 1,
  actions: [{ unique_id: id(4), name: 'vent', kind: 'output', output_id: id(5), state: true }],
};

describe('the form of a trigger', () => {
  it('asks for the fields of each kind, none of which a person cannot know', () => {
    const { key, branches } = branchesOf(triggerSchema(null));
    expect(key).toBe('kind');
    expect([...branches.keys()]).toContain('pwm_method');
    for (const branch of branches.values()) {
      expect(branch.properties).toHaveProperty('actions');
      expect(branch.properties).not.toHaveProperty('is_activated');
      expect(JSON.stringify(branch)).not.toContain('unique_id');
    }
  });

  it('sends a copy that the contract takes, with actions of its own', () => {
    const body = triggerBody(ruleForm(warm, true), false);
    const made = triggerCreate.parse(body);
    expect(made.actions).toMatchObject([{ name: 'vent', output_id: id(5), state: true }]);
    expect(made.actions?.[0]?.unique_id).not.toBe(id(4));
    expect(made).toMatchObject({ kind: 'edge', level: 30, missed: 'run' });
  });

  it('sends what was taken out of one as what it is without, and keeps its actions', () => {
    const { hysteresis: _, ...form } = ruleForm(warm, false);
    expect(faultsOf(triggerSchema('edge'), form).size).toBe(0);
    const patch = triggerPatch.parse(triggerBody(form, true));
    expect(patch).toMatchObject({ hysteresis: 0, missed: 'run', actions: warm.actions });
    expect(patch).not.toHaveProperty('weekdays');
    expect(patch).not.toHaveProperty('is_activated');
  });

  it('says which fields of an action are missing', () => {
    const form = { ...ruleForm(warm, false), actions: [{ kind: 'setpoint', name: '1st' }] };
    expect(Object.fromEntries(faultsOf(triggerSchema('edge'), form))).toEqual({
      'actions[0].name': 'form',
      'actions[0].pid_id': 'required',
      'actions[0].setpoint': 'required',
    });
  });

  it('keeps what another kind has as well', () => {
    const { branches } = branchesOf(triggerSchema(null));
    const shared = sharedOf(ruleForm(warm, false), branches.get('edge') ?? {}, branches.get('time_point') ?? {});
    expect(Object.keys(shared).toSorted()).toEqual(['actions', 'missed', 'name']);
  });
});

describe('the form of a conditional function', () => {
  const frost: Conditional = {
    unique_id: id(1),
    name: 'Frost',
    is_activated: true,
    period_s: 30,
    start_offset_s: 5,
    conditions: [{ unique_id: id(6), name: 't', kind: 'output_state', output_id: id(5) }],
    statement: 'if (t) { run(vent); }',
    actions: warm.actions,
  };

  it('sends what the contract takes, without what a switch of its own sets', () => {
    const form = ruleForm(frost, false);
    expect(faultsOf(conditionalSchema, form).size).toBe(0);
    const { unique_id: _, is_activated: __, ...rest } = frost;
    expect(conditionalCreate.parse(conditionalBody(form))).toEqual(rest);
  });

  it('sends a period and delay that were taken out as what holds without', () => {
    const { period_s: _, start_offset_s: __, ...form } = ruleForm(frost, true);
    const body = conditionalCreate.parse(conditionalBody(form));
    expect(body).toMatchObject({ period_s: 60, start_offset_s: 0, statement: frost.statement });
    expect(body.conditions[0]?.unique_id).not.toBe(id(6));
  });

  it('asks for a check only when what the statement calls is complete', () => {
    const form = ruleForm(frost, false);
    expect(checkBody(form)).toEqual({
      statement: frost.statement,
      conditions: frost.conditions,
      actions: frost.actions,
    });
    expect(checkBody({ ...form, actions: [{ kind: 'pid', name: 'a' }] })).toBeNull();
  });
});

it('names a new entry as no other is named', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 })), (taken) => {
      const others = taken.map((n) => ({ name: `action_${n}` }));
      const { name } = groupOf(numbered('actions', {}, others));
      expect(name).toMatch(/^action_\d+$/);
      expect(others).not.toContainEqual({ name });
    }),
  );
});

it('gives an id to new entries alone', () => {
  const [known, fresh] = identified([{ unique_id: id(1) }, { name: 'new' }]);
  expect(known).toEqual({ unique_id: id(1) });
  expect(fresh?.['name']).toBe('new');
  expect(fresh?.['unique_id']).toMatch(/^[\da-f-]{36}$/);
});
