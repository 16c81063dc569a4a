import { shallowRef } from 'vue';
import { shapeFileEndpoints } from '../../../server/contract/shape-file.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { FileFault } from '../../map/file-fault.ts';
import { shapesOfGeoJson, type FoundShapes } from '../../map/geojson.ts';
import { isServiceFile, readShapeFile } from '../../map/shape-file.ts';
import { describeError } from '../../stores/notice.ts';
import { usePreference } from '../../stores/preference.ts';
import { crsCodeOf } from './coordinate-systems.ts';

const mostBytes = 64 * 1024 * 1024;

interface Fault {
  text: string;
  /** The exact fault, in the service's words. */
  detail: string;
  /** The coordinate system has to be entered. */
  needsCrs: boolean;
}

/** Reads files of shapes: all of them, or none if one is broken. */
export function useImportFiles() {
  const call = useCall();
  const { t } = useText();
  const preference = usePreference();
  const fault = shallowRef<Fault | null>(null);
  const isReading = shallowRef(false);
  let latest = 0;

  async function read(files: readonly File[], crs = ''): Promise<FoundShapes | null> {
    const mine = (latest += 1);
    fault.value = null;
    isReading.value = true;
    try {
      const found: FoundShapes = { shapes: [], skipped: 0 };
      for (const file of files) {
        const one = await readOne(file, crs).catch((thrown: unknown) => {
          if (mine === latest) fault.value = faultOf(thrown, files.length > 1 ? file.name : '');
          return null;
        });
        if (one === null || mine !== latest) return null;
        found.shapes.push(...one.shapes);
        found.skipped += one.skipped;
      }
      return found;
    } finally {
      if (mine === latest) isReading.value = false;
    }
  }

  async function readOne(file: File, crs: string): Promise<FoundShapes> {
    if (file.size > mostBytes) throw new FileFault('tooLarge');
    if (isServiceFile(file.name)) return readThere(file, crs);
    const bytes = await file.arrayBuffer().catch(() => {
      throw new FileFault('unreadable'); // a folder, or a file that is gone
    });
    try {
      return await readShapeFile(file.name, bytes, preference.language);
    } catch (thrown) {
      // The service converts coordinates that are not in degrees.
      if (thrown instanceof FileFault && thrown.fault === 'otherCrs') return readThere(file, crs);
      throw thrown;
    }
  }

  async function readThere(file: File, crs: string): Promise<FoundShapes> {
    const form = new FormData();
    form.append('file', file);
    const { features, skipped_count } = await call(shapeFileEndpoints.read, { query: { crs: crsCodeOf(crs) }, form });
    const found = shapesOfGeoJson({ type: 'FeatureCollection', features });
    return { ...found, skipped: found.skipped + skipped_count };
  }

  function faultOf(thrown: unknown, name: string): Fault {
    const named = (text: string): string => (name === '' ? text : `${name}${t('ui.colon')}${text}`);
    if (thrown instanceof FileFault) {
      return { text: named(t(`map.file.faults.${thrown.fault}`, { crs: thrown.crs })), detail: '', needsCrs: false };
    }
    if (!isApiError(thrown)) throw thrown;
    const isOfFile = thrown.code === 'unreadable_file' || thrown.code === 'unknown_crs';
    return {
      text: named(describeError(thrown, t)),
      detail: isOfFile ? thrown.message : '',
      needsCrs: thrown.code === 'unknown_crs' || thrown.code === 'invalid_field',
    };
  }

  function forget(): void {
    latest += 1;
    fault.value = null;
    isReading.value = false;
  }

  return { fault, isReading, read, forget };
}
