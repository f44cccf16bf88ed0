/** What the API answers; see `crates/presentation/report/src/document.rs`. */
export type Class = 'good' | 'bad' | 'doubtful' | 'neutral';

export interface Row {
  number: number;
  name: string;
  started_ms: number;
  running: boolean;
  kind: string;
  test: string;
  verdict: string;
  word: string;
  note: string;
  tags: string[];
  settings: Record<string, string>;
  seconds: number;
  requests: number;
  rate: number;
  mean_ms: number | null;
  p95_ms: number | null;
  errors: number | null;
  vus: number;
}

export interface Axis {
  label: string;
  kind: { type: 'linear' | 'log' } | { type: 'time'; from_ms: number };
  most: number | null;
}

export interface Series {
  role: string;
  name: string;
  shape: 'line' | 'dashed' | 'area' | 'points' | 'bars';
  points: [number, number | null][];
}

export interface Chart {
  id: string;
  title: string;
  caption: string;
  x: Axis;
  y: Axis;
  series: Series[];
  marks: { at: number; label: string }[];
  heat: HeatMap | null;
}

/** Cells of one width on x; a cell ends at `ratio` times its lower end on y. */
export interface HeatMap {
  width: number;
  ratio: number;
  layers: { role: string; name: string; is_inset: boolean; cells: [number, number, number][] }[];
}

export interface LabelledRow {
  label: string;
  class: Class;
  values: string[];
}

export interface Table {
  caption: string;
  columns: { head: string; is_number: boolean }[];
  rows: string[][];
}

export type Block =
  | { type: 'text'; lines: string[] }
  | { type: 'rows'; rows: LabelledRow[] }
  | ({ type: 'table' } & Table)
  | ({ type: 'chart' } & Chart)
  | { type: 'finding'; head: string; is_limit: boolean; text: string; rows: LabelledRow[] }
  | { type: 'source'; text: string };

/** A word of the field, what it means, and which labels it explains. */
export interface GlossaryEntry {
  id: string;
  word: string;
  meaning: string;
  labels: string[];
}

export interface Report {
  kind: string;
  lang: string;
  title: string;
  facts: string[];
  verdict: { class: Class; word: string; text: string; details: string[] };
  figures: { label: string; value: string; unit: string; note: string }[];
  goals: { goal: string; observed: string; met: boolean | null; word: string }[];
  sections: { id: string; title: string; note: string; blocks: Block[] }[];
  glossary: GlossaryEntry[];
}

export interface EndpointPart {
  requests: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

export interface RunAnswer {
  row: Row;
  arguments: string[];
  document: Report;
  recent: { name: string; total: EndpointPart; recent: EndpointPart }[];
}

export interface StudyRow {
  name: string;
  study: string;
  begun_ms: number;
  changed_ms: number;
  running: boolean;
  /** What its answer says; null where a newer program wrote it. */
  class: Class | null;
  word: string | null;
  text: string | null;
  goal: string | null;
  trials: number | null;
}

export interface StudyAnswer {
  row: StudyRow;
  document: Report;
}
