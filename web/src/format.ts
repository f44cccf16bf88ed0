/** Numbers as the program writes them: three significant digits, commas between thousands. */
export function significant(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return grouped(value, digits);
}

export function grouped(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function millis(value: number | null): string {
  return value === null ? '–' : `${significant(value)} ms`;
}

export function percent(share: number | null): string {
  if (share === null) return '–';
  if (share <= 0 || share >= 1) return `${grouped(share * 100)} %`;
  const value = share * 100;
  if (value < 0.01) return '< 0.01 %';
  if (value > 99.99) return '> 99.99 %';
  return `${grouped(value, value < 10 ? 2 : 1)} %`;
}

/** Seconds as m:ss, or h:mm:ss. */
export function clock(seconds: number): string {
  const all = Math.round(seconds);
  const two = (part: number) => String(part).padStart(2, '0');
  const minutes = Math.floor(all / 60);
  if (minutes < 60) return `${minutes}:${two(all % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(all % 60)}`;
}

export function localTime(ms: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const at = new Date(ms);
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Numbers beside an axis. */
export function short(value: number): string {
  const size = Math.abs(value);
  const cut = (number: number) => String(Math.round(number * 100) / 100);
  if (size >= 1e9) return `${cut(value / 1e9)}G`;
  if (size >= 1e6) return `${cut(value / 1e6)}M`;
  if (size >= 1e4) return `${cut(value / 1e3)}k`;
  return size > 0 && size < 0.001 ? value.toExponential(0) : grouped(value, Number.isInteger(value) ? 0 : size < 1 ? 3 : 1).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}
