import { onScopeDispose, shallowRef } from 'vue';
import { mostShapeFileBytes, shapeFileEndpoints } from '../../../server/contract/shape-file.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { FileFault } from '../../map/file-fault.ts';
import { allShapes, entriesOfGeoJson, withFaults, type FoundShapes } from '../../map/geojson.ts';
import { isServiceFile, readShapeFile } from '../../map/shape-file.ts';
import { inSlices } from '../../map/slices.ts';
import { describeError } from '../../stores/notice.ts';
import { usePreference } from '../../stores/preference.ts';
import { crsCodeOf } from './coordinate-systems.ts';

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
  /** How many of the entries of a long file are read. */
  const progress = shallowRef<{ looked: number; of: number } | null>(null);
  let reading: AbortController | undefined;

  async function read(files: readonly File[], crs = ''): Promise<FoundShapes | null> {
    forget();
    const { signal } = (reading = new AbortController());
    isReading.value = true;
    try {
      const all: FoundShapes[] = [];
      for (const file of files) {
        const one = await readOne(file, crs, signal).catch((thrown: unknown) => {
          if (!signal.aborted) fault.value = faultOf(thrown, files.length > 1 ? file.name : '');
          return null;
        });
        if (signal.aborted) return null;
        progress.value = null;
        if (one === null) return null;
        all.push(one);
      }
      return { shapes: all.flatMap(({ shapes }) => shapes), skipped: all.flatMap(({ skipped }) => skipped) };
    } finally {
      if (!signal.aborted) isReading.value = false;
    }
  }

  async function readOne(file: File, crs: string, signal: AbortSignal): Promise<FoundShapes> {
    if (file.size > mostShapeFileBytes) throw new FileFault('tooLarge');
    if (isServiceFile(file.name)) return readThere(file, crs, signal);
    const show = (looked: number, of: number): void => void (progress.value = { looked, of });
    try {
      return await readShapeFile({ file, language: preference.language }, { signal, progress: show });
    } catch (thrown) {
      // The service converts coordinates that are not in degrees.
      if (thrown instanceof FileFault && thrown.fault === 'otherCrs') return readThere(file, crs, signal);
      throw thrown;
    }
  }

  async function readThere(file: File, crs: string, signal: AbortSignal): Promise<FoundShapes> {
    const form = new FormData();
    form.append('file', file);
    const query = { crs: crsCodeOf(crs) };
    const { features, skipped_count, skipped_names } = await call(shapeFileEndpoints.read, { query, form, signal });
    const entries = entriesOfGeoJson({ type: 'FeatureCollection', features });
    const found = await inSlices(allShapes({ ...entries, found: withFaults(entries.found) }), signal);
    const unnamed = Array<string>(skipped_count - skipped_names.length).fill('');
    return { ...found, skipped: [...found.skipped, ...skipped_names, ...unnamed] };
  }

  function faultOf(thrown: unknown, name: string): Fault {
    const named = (text: string): string => (name === '' ? text : `${name}${t('ui.colon')}${text}`);
    if (thrown instanceof FileFault) {
      const values = { crs: thrown.crs, most: mostShapeFileBytes / 2 ** 20 };
      return { text: named(t(`map.file.faults.${thrown.fault}`, values)), detail: '', needsCrs: false };
    }
    if (!isApiError(thrown)) throw thrown;
    const isOfFile = thrown.code === 'unreadable_file' || thrown.code === 'unknown_crs';
    return {
      text: named(describeError(thrown, t)),
      detail: isOfFile ? thrown.message : '',
      needsCrs: thrown.code === 'unknown_crs' || thrown.code === 'invalid_field',
    };
  }

  /** Ends what is being read. */
  function forget(): void {
    reading?.abort();
    fault.value = null;
    isReading.value = false;
    progress.value = null;
  }

  onScopeDispose(forget);

  return { fault, isReading, progress, read, forget };
}
