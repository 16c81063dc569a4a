import { defineStore } from 'pinia';
import { shallowReactive, shallowRef } from 'vue';
import { facilityEndpoints } from '../../server/contract/facility-endpoints.ts';
import type { ComputeRequest, ComputeResult, Facility, FacilitySave } from '../../server/contract/facility.ts';
import type { RuntimeResult } from '../../server/contract/facility-live.ts';
import type { Material } from '../../server/contract/material.ts';
import { studyEndpoints, type StudyRequest, type StudyResult } from '../../server/contract/study.ts';
import { weatherFileEndpoints, type WeatherFile } from '../../server/contract/weather-file.ts';
import { useCall } from '../client/client.ts';
import { Told } from './live/told.ts';

/** The houses, those in the trash, the coverings, and the last runtime read of each house. */
export const useFacilities = defineStore('facilities', () => {
  const call = useCall();
  const list = shallowRef<Facility[]>([]);
  const trash = shallowRef<Facility[]>([]);
  const materials = shallowRef<Material[]>([]);
  const weatherFiles = shallowRef<WeatherFile[]>([]);
  const runtimes = shallowReactive(new Map<string, RuntimeResult>());
  const told = new Told();

  async function load(): Promise<void> {
    const [living, trashed] = await Promise.all([
      call(facilityEndpoints.list),
      call(facilityEndpoints.list, { query: { trash: true } }),
    ]);
    list.value = living.facilities;
    trash.value = trashed.facilities;
  }

  /** The table of coverings does not change while the server runs. */
  async function loadMaterials(): Promise<void> {
    if (materials.value.length === 0) materials.value = (await call(facilityEndpoints.materials)).materials;
  }

  async function get(facilityUuid: string): Promise<Facility> {
    return call(facilityEndpoints.get, { params: { facility_uuid: facilityUuid } });
  }

  async function save(body: FacilitySave): Promise<Facility> {
    const saved = await call(facilityEndpoints.save, { body });
    await load();
    return saved;
  }

  async function remove(facilityUuid: string): Promise<void> {
    await call(facilityEndpoints.remove, { params: { facility_uuid: facilityUuid } });
    runtimes.delete(facilityUuid);
    await load();
  }

  async function restore(facilityUuid: string): Promise<void> {
    await call(facilityEndpoints.restore, { params: { facility_uuid: facilityUuid } });
    await load();
  }

  /** Reads the present state of a house and stores it for every page that shows it, unless a newer one came first. */
  async function loadRuntime(facilityUuid: string): Promise<RuntimeResult> {
    const takes = told.ask();
    const read = await call(facilityEndpoints.runtime, { params: { facility_uuid: facilityUuid } });
    if (takes(facilityUuid)) runtimes.set(facilityUuid, read);
    return read;
  }

  async function compute(body: ComputeRequest, signal: AbortSignal): Promise<ComputeResult> {
    return call(facilityEndpoints.compute, { body, signal });
  }

  async function study(body: StudyRequest, signal: AbortSignal): Promise<StudyResult> {
    return call(studyEndpoints.study, { body, signal });
  }

  async function loadWeatherFiles(): Promise<void> {
    weatherFiles.value = (await call(weatherFileEndpoints.list)).weather_files;
  }

  async function saveWeatherFile(file: File): Promise<void> {
    const form = new FormData();
    form.append('file', file);
    await call(weatherFileEndpoints.save, { params: { name: file.name }, form });
    await loadWeatherFiles();
  }

  async function removeWeatherFile(name: string): Promise<void> {
    await call(weatherFileEndpoints.remove, { params: { name } });
    await loadWeatherFiles();
  }

  return {
    list,
    trash,
    weatherFiles,
    loadWeatherFiles,
    saveWeatherFile,
    removeWeatherFile,
    materials,
    runtimes,
    load,
    loadMaterials,
    get,
    save,
    remove,
    restore,
    loadRuntime,
    compute,
    study,
  };
});
