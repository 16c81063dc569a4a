import { onScopeDispose } from 'vue';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import { movedDevices } from './moved-pipes.ts';

/** Says at once when a device is moved away from the pipes that were laid for it. */
export function useMovedPipes(openPipes: () => void): void {
  const { t } = useText();
  const live = useLive();
  const store = useOpenMap();
  const notice = useNotice();
  const { off } = store.onChanged(({ ids }) => {
    const changed = new Set(ids.flatMap((id) => store.find(id)?.properties.device_id ?? []));
    if (changed.size === 0) return;
    const moved = movedDevices(store.features).filter((id) => changed.has(id));
    if (moved.length === 0) return;
    const devices = moved.slice(0, 3).map((id) => live.device(id)?.name ?? id);
    notice.problem(t('pipes.movedNow', { devices: devices.join(t('ui.comma')) }), {
      label: t('pipes.open'),
      run: openPipes,
    });
  });
  onScopeDispose(off);
}
