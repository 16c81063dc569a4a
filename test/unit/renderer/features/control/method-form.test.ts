import { describe, expect, it } from 'vitest';
import { method, methodCreate, methodPatch, type MethodKind } from '../../../../../server/contract/method.ts';
import {
  isDrawn,
  methodBody,
  methodDraft,
  methodForm,
  methodSchema,
  newMethod,
  ofKind,
  previewFrom,
  unitIn,
} from '../../../../../renderer/features/control/method-form.ts';
import { faultsOf } from '../../../../../renderer/features/devices/form/field-faults.ts';
import { branchesOf, isMoment, type Group } from '../../../../../renderer/features/devices/form/option-schema.ts';

const id = (n: number): string => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
const nowMs = Date.UTC(2026, 5, 1);
const kinds = [...branchesOf(methodSchema(null)).branches.keys()] as MethodKind[]; // of the contract

describe('the form of a method', () => {
  it.each(kinds)('begins with what the contract takes: %s', (kind) => {
    const points = kind === 'cascade' ? { points: [{ method_id: id(2) }] } : {};
    const form = { ...newMethod(nowMs, kind), name: 'New', ...points };
    expect([...faultsOf(methodSchema(null), form)]).toEqual([]);
    const made = methodCreate.parse(methodBody(form, false));
    const stored = method.parse({ unique_id: id(1), is_activated: true, ...made });
    const known = methodForm(stored);
    expect([...faultsOf(methodSchema(kind), known)]).toEqual([]);
    expect(methodPatch.safeParse(methodBody(known, true)).success).toBe(true);
  });

  it('keeps name and unit as another kind, and none of its points', () => {
    const other = ofKind({ ...newMethod(nowMs), name: 'Day', unit: '%' }, 'cascade', nowMs);
    expect(other).toEqual({ kind: 'cascade', combine: 'mean', points: [{}], name: 'Day', unit: '%' });
    expect([isDrawn(other), isDrawn(newMethod(nowMs))]).toEqual([false, true]);
  });

  it('repeats for ever without a number of times', () => {
    const { repeat: _, ...form }: Group = { ...newMethod(nowMs, 'duration'), name: 'Hardening' };
    expect([...faultsOf(methodSchema('duration'), form)]).toEqual([]);
    expect(methodBody(form, false)).toMatchObject({ repeat: null });
  });

  it('leaves out a ramp without a number, and the time of day of a point by the sun', () => {
    const points = [
      { event: 'clock', at: '04:00', value: 1, ramp: {} },
      { event: 'noon', at: '05:00', value: 2, ramp: { per_h: 2 } },
    ];
    expect(methodBody({ ...newMethod(nowMs, 'sun'), points }, true)['points']).toEqual([
      { event: 'clock', at: '04:00', value: 1 },
      { event: 'noon', value: 2, ramp: { per_h: 2 } },
    ]);
  });

  it('enters dates as dates, and values in the unit of the method', () => {
    const { points, starts_at } = { ...methodSchema('date').properties, ...methodSchema('duration').properties };
    expect(isMoment(starts_at ?? {})).toBe(true);
    expect(isMoment(methodSchema('date').properties?.['points']?.items?.properties?.['at'] ?? {})).toBe(true);
    expect(isMoment(points ?? {})).toBe(false);
    expect(['value', 'per_h', 'at'].map((name) => unitIn({ unit: 'C' }, name))).toEqual(['C', 'K/h', '']);
  });
});

describe('a method that is being entered', () => {
  it('is shown from its start, late in the evening too, else from the start of today', () => {
    const draftOf = (kind: MethodKind) => methodDraft({ ...newMethod(nowMs + 23.9 * 3_600_000, kind), name: 'New' });
    const [since, daily] = [draftOf('duration'), draftOf('daily')];
    expect(since && previewFrom(since, nowMs)).toBeGreaterThan(nowMs + 23 * 3_600_000);
    expect(since && previewFrom(since, nowMs + 86_400_000)).toBe(nowMs + 86_400_000);
    expect(daily && previewFrom(daily, nowMs)).toBe(nowMs);
  });

  it('is nothing before it is complete, and needs no name', () => {
    expect(methodDraft(newMethod(nowMs, 'sun'))).toMatchObject({ kind: 'sun' });
    expect(methodDraft({ kind: 'cascade', unit: 'C', combine: 'mean', points: [{}] })).toBeNull();
  });
});
