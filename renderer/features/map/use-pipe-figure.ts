import { useFormat } from '../../ui/format.ts';
import { pipeShades, type PipeShade } from './pipe-colors.ts';

/** A figure of a pipe with its unit. Water runs in m/s everywhere; only wind has other units. */
export function usePipeFigure(): (shade: PipeShade, value: number) => string {
  const format = useFormat();
  return (shade, value) =>
    shade === 'velocity_m_s'
      ? `${format.number(value, 2)} m/s`
      : format.quantity(value, pipeShades[shade], shade === 'diameter_mm' ? 0 : 2);
}
