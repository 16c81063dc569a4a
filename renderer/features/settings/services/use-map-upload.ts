import { baseMapEndpoints, mostPartBytes, type BaseMap } from '../../../../server/contract/base-map.ts';
import { useCall } from '../../../client/client.ts';
import { usePartUpload } from '../use-part-upload.ts';

/** Uploads a map file in parts. */
export function useMapUpload(uploaded: (made: BaseMap) => void) {
  const call = useCall();
  const parts = usePartUpload({
    mostPartBytes,
    send: ({ upload: { name }, form, query, signal }) =>
      call(baseMapEndpoints.upload, { query: { ...query, name }, form, signal }),
    sent: (told) => {
      if (told?.base_map != null) uploaded(told.base_map);
    },
  });
  return { ...parts, begin: (file: File) => parts.begin(file, nameOf(file.name)) };
}

/**
 * The server stores files under plain names: other characters become hyphens; a name without any plain character
 * becomes `map`.
 */
export function nameOf(file: string): string {
  const ending = /\.pmtiles$/i.test(file) ? 'pmtiles' : 'mbtiles';
  const plain = file
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64);
  return `${plain || 'map'}.${ending}`;
}
