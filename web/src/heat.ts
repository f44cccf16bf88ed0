import type uPlot from 'uplot';
import type { HeatMap } from './types';

/** The part of a cell that an inset layer leaves free at each side. */
const INSET = 0.25;

/** Lower and upper ends of the cells by their left ends, so that the axes hold them all. */
export function ends(heat: HeatMap): uPlot.AlignedData {
  const columns = new Map<number, [number, number]>();
  const widen = (x: number, low: number, high: number): void => {
    const [least, most] = columns.get(x) ?? [low, high];
    columns.set(x, [Math.min(least, low), Math.max(most, high)]);
  };
  for (const [left, low] of heat.layers.flatMap((layer) => layer.cells)) {
    widen(left, low, low * heat.ratio);
    widen(left + heat.width, low, low * heat.ratio);
  }
  const places = [...columns].sort(([a], [b]) => a - b);
  return [places.map(([x]) => x), places.map(([, [low]]) => low), places.map(([, [, high]]) => high)];
}

/** Draws the cells, the darker the more values they hold. */
export function draw(self: uPlot, heat: HeatMap, colour: (role: string) => string): void {
  const { ctx } = self;
  ctx.save();
  ctx.beginPath();
  ctx.rect(self.bbox.left, self.bbox.top, self.bbox.width, self.bbox.height);
  ctx.clip();
  for (const { role, is_inset, cells } of heat.layers) {
    const most = cells.reduce((high, [, , count]) => Math.max(high, count), 0);
    const free = is_inset ? INSET : 0;
    ctx.fillStyle = colour(role);
    for (const [left, low, count] of cells) {
      const [x, right] = [left, left + heat.width].map((at) => self.valToPos(at, 'x', true)) as [number, number];
      const [bottom, y] = [low, low * heat.ratio].map((at) => self.valToPos(at, 'y', true)) as [number, number];
      const [wide, high] = [right - x, bottom - y];
      ctx.globalAlpha = Math.max(Math.log1p(count) / Math.log1p(most), 0.15);
      ctx.fillRect(x + wide * free, y + high * free, wide * (1 - 2 * free), high * (1 - 2 * free));
    }
  }
  ctx.restore();
}
