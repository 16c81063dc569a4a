import type { Ref } from 'vue';
import { featureTypes } from '../../../server/contract/overlay.ts';
import { useClient } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import type { MapPictureText } from '../../map/map-picture.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useFormat } from '../../ui/format.ts';

/** Texts around the map in images of it, in files and on paper. */
export function usePictureText(map: Readonly<Ref<SiteMap | null>>): () => MapPictureText {
  const { t } = useText();
  const format = useFormat();
  const clock = useClient().clock;
  const store = useOpenMap();
  return () => {
    const seen = map.value?.typesInView();
    return {
      title: store.design?.name ?? '',
      time: format.dateTime(clock.now()),
      legend: {
        title: t('map.export.legend'),
        types: featureTypes.flatMap((type) => {
          const opacity = seen?.get(type);
          return opacity === undefined ? [] : [{ type, opacity, name: t(`map.types.${type}`) }];
        }),
      },
      north: t('map.export.north'),
      distance: (metres) => format.quantity(metres, 'm', 0),
    };
  };
}
