import { computed, onMounted, type ComputedRef, type Ref } from 'vue';
import { isActive, isConsequence, isPutAway, type Alarm } from '../../../server/contract/alarm.ts';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import { housesByDevice } from '../../ui/alarm-house.ts';
import { alarmSource } from '../../../server/contract/alarm-text.ts';
import {
  consequencesOf,
  groupsOf,
  placesOf,
  type AlarmGroup,
  type AlarmOrder,
  type AlarmPlace,
} from './alarm-groups.ts';

/** Alarms under one title. */
interface TitledAlarms {
  key: string;
  title: string;
  alarms: readonly Alarm[];
  /** Those whose cause is not shown. */
  consequences: readonly Alarm[];
  /** New ones of an alarm that was in order before. */
  late: readonly Alarm[];
  /** Several of one place or cause, which somebody may acknowledge together. */
  isAlike: boolean;
}

interface ListedAlarms {
  found: Readonly<Ref<readonly Alarm[]>>;
  /** Those that came since the list was put in order. */
  added: Readonly<Ref<readonly Alarm[]>>;
  order: Readonly<Ref<AlarmOrder>>;
}

const sections = {
  active: isActive,
  gone: ({ state }) => state === 'returned' || state === 'latched',
  silenced: isPutAway,
} satisfies Record<string, (alarm: Alarm) => boolean>;

/** The list of alarms in its order, the new ones last, and what follows from each alarm by its `alarm_id`. */
export function useAlarmGroups({ found, added, order }: ListedAlarms): {
  groups: ComputedRef<TitledAlarms[]>;
  following: ComputedRef<ReadonlyMap<string | null, readonly Alarm[]>>;
} {
  const { t } = useText();
  const facilities = useFacilities();
  // Without the houses the alarms stand by device.
  onMounted(() => void facilities.load().catch(() => undefined));
  const places = computed(() => placesOf(found.value, housesByDevice(facilities.list)));

  /** Among those in order and among the new ones: what comes later goes to the end, and moves no card. */
  const own = computed(() => new Set(added.value.map(({ alarm_id }) => alarm_id)));
  const before = computed(() => {
    const kept = found.value.filter(({ alarm_id }) => !own.value.has(alarm_id)); // others speak for themselves by now
    return consequencesOf(kept, found.value);
  });
  const since = computed(() => consequencesOf(added.value, [...found.value, ...added.value]));
  const isOfAdded = ([id]: readonly [string | null, unknown]): boolean => id !== null && own.value.has(id);
  const following = computed(() => new Map([...before.value, ...[...since.value].filter(isOfAdded)]));
  const late = computed(() => {
    const ofFound = [...since.value].filter((of) => of[0] !== null && !isOfAdded(of));
    return ofFound.flatMap(([, alarms]) => alarms);
  });
  const orphans = computed(() => new Set([before.value, since.value].flatMap((of) => of.get(null) ?? [])));
  const isOrphan = (alarm: Alarm): boolean => orphans.value.has(alarm);

  function alike(name: string, { key, alarms, counts, ...group }: AlarmGroup): TitledAlarms {
    const numbers = counts.map(({ severity, n }) => `${t(`alarms.severity.${severity}`)} ${n}`).join(' · ');
    const title = numbers === '' ? name : `${name}${t('ui.colon')}${numbers}`;
    const consequences = group.consequences.filter(isOrphan);
    return titled(key, title, { alarms, consequences, isAlike: alarms.length > 1 });
  }

  function placeName({ house, ...place }: AlarmPlace): string {
    const [first] = [...place.alarms, ...place.consequences];
    return house ?? (first === undefined ? '' : alarmSource(first, t));
  }

  const putAway = (): TitledAlarms =>
    titled('silenced', t('alarms.silenced'), { alarms: found.value.filter(isPutAway) });
  const groupsBy: Record<AlarmOrder, () => TitledAlarms[]> = {
    urgency: () => [
      ...(['active', 'gone', 'silenced'] as const).map((key) =>
        titled(key, t(`alarms.${key}`), { alarms: found.value.filter(sections[key]) }),
      ),
      titled('following', t('alarms.following'), { consequences: found.value.filter(isOrphan) }),
    ],
    place: () => [...places.value.map((place) => alike(placeName(place), place)), putAway()],
    cause: () => [
      ...groupsOf(found.value, ({ code }) => code).map((group) => alike(t(`alarms.code.${group.key}`), group)),
      putAway(),
    ],
  };
  const groups = computed(() => {
    const isNew = titled('new', t('alarms.new'), {
      alarms: added.value.filter((alarm) => !isConsequence(alarm)),
      consequences: added.value.filter(isOrphan),
      late: late.value,
    });
    return [...groupsBy[order.value](), isNew].filter(
      (one) => one.alarms.length + one.consequences.length + one.late.length > 0,
    );
  });
  return { groups, following };
}

function titled(key: string, title: string, listed: Partial<TitledAlarms>): TitledAlarms {
  return { key, title, alarms: [], consequences: [], late: [], isAlike: false, ...listed };
}
