export type FaultName =
  | 'notJson'
  | 'notGeoJson'
  | 'otherCrs'
  | 'notXml'
  | 'notKml'
  | 'notGpx'
  | 'tooLarge'
  | 'damagedZip'
  | 'notKmz'
  | 'unreadable'
  | 'notCsv'
  | 'noColumns';

/** Why a file cannot be read; of coordinates in another system than WGS 84 `crs` names it. */
export class FileFault extends Error {
  readonly fault: FaultName;
  readonly crs: string;

  constructor(fault: FaultName, crs = '') {
    super(`${fault} ${crs}`.trim());
    this.fault = fault;
    this.crs = crs;
  }
}
