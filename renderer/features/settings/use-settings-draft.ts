import { computed, ref, watch, type Ref } from 'vue';
import type { Settings, SettingsPatch } from '../../../server/contract/setting.ts';
import { useText } from '../../i18n/index.ts';
import { useNotice } from '../../stores/notice.ts';
import { useSession } from '../../stores/session.ts';
import { useSettings } from '../../stores/settings.ts';
import { changesOf } from '../../ui/changes.ts';
import { useSubmission, type Submission } from '../../ui/submission.ts';

interface Mapping<Draft, Wire extends object> {
  /** Initial values of the form. */
  read: (site: Settings) => Draft;
  /** The wire form of the entries, by member. */
  wire: (draft: Draft) => Wire;
  /** The request for the changed members. */
  patch: (changes: Partial<Wire>) => SettingsPatch;
  isValid: (draft: Draft) => boolean;
}

/** The state that the end of a form needs. */
export interface Savable {
  isChanged: Ref<boolean>;
  canSave: Ref<boolean>;
  mayEdit: Ref<boolean>;
  submission: Pick<Submission, 'isBusy' | 'error'>;
  reset: () => void;
}

export interface SettingsDraft<Draft> extends Savable {
  /** null until the settings are loaded. */
  draft: Ref<Draft | null>;
  submission: Submission;
  save: () => Promise<void>;
}

/** A form for part of the settings: starts with the stored values and sends only changed members. */
export function useSettingsDraft<Draft, Wire extends object>(mapping: Mapping<Draft, Wire>): SettingsDraft<Draft> {
  const settings = useSettings();
  const session = useSession();
  const notice = useNotice();
  const { t } = useText();
  const submission = useSubmission();
  // A ref's type unwraps refs within; a draft is plain data and has none.
  const draft = ref<Draft | null>(null) as Ref<Draft | null>;

  const changes = computed<Partial<Wire>>(() => {
    if (settings.site === null || draft.value === null) return {};
    return changesOf(mapping.wire(mapping.read(settings.site)), mapping.wire(draft.value));
  });
  const isChanged = computed(() => Object.keys(changes.value).length > 0);
  const mayEdit = computed(() => session.can('edit_settings'));

  function reset(): void {
    draft.value = settings.site === null ? null : mapping.read(settings.site);
    submission.forget();
  }

  // Another user's change is taken over unless something was typed here.
  watch(
    () => settings.site,
    () => {
      if (draft.value === null || !isChanged.value) reset();
    },
    { immediate: true },
  );

  async function save(): Promise<void> {
    const body = mapping.patch(changes.value);
    if (!(await submission.run(() => settings.save(body)))) return;
    reset();
    notice.done(t('account.saved'));
  }

  return {
    draft,
    isChanged,
    canSave: computed(() => mayEdit.value && isChanged.value && draft.value !== null && mapping.isValid(draft.value)),
    mayEdit,
    submission,
    save,
    reset,
  };
}
